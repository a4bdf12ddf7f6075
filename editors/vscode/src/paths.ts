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

export interface RankPaths {
  code: string;
  rule: string;
  message: string;
  help: string;
  location: Place;
  assumptions: string[];
  lanes: Lane[];
}

export function isRankPaths(value: unknown): value is RankPaths {
  return typeof value === "object" && value !== null && Array.isArray((value as RankPaths).lanes) && typeof (value as RankPaths).code === "string";
}
