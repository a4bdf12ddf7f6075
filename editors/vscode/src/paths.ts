// What each rank does, as the server sends it.
export interface Place {
  uri: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
}

export interface Step {
  kind: "branch" | "call" | "collective" | "exit";
  text: string;
  function: string;
  nesting: number;
  op: string;
  group: string;
  location: Place | null;
}

export interface Lane {
  ranks: string;
  steps: Step[];
  end: string;
}

// A style sheet, and the picture of the lanes as <svg> elements for a wide and for a narrow panel.
export interface Picture {
  style: string;
  wide: string;
  narrow: string;
}

export interface RankPaths {
  code: string;
  rule: string;
  message: string;
  help: string;
  location: Place;
  assumptions: string[];
  lanes: Lane[];
  picture: Picture;
}

export function isRankPaths(value: unknown): value is RankPaths {
  if (typeof value !== "object" || value === null) return false;
  const { lanes, code, picture } = value as Partial<RankPaths>;
  return Array.isArray(lanes) && typeof code === "string" && typeof picture?.wide === "string";
}
