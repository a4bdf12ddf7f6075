// Starts the server and shows what it has no place for in the protocol: the lanes of a finding.
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { page } from "./lanes";
import { isRankPaths, RankPaths } from "./paths";

let client: LanguageClient | undefined;
let panel: vscode.WebviewPanel | undefined;

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("ranklint");
}

function serverOptions(): ServerOptions {
  return { command: settings().get<string>("path") || "ranklint", args: ["server"] };
}

const clientOptions: LanguageClientOptions = {
  documentSelector: ["python", "c", "cpp", "cuda-cpp"].map((language) => ({ scheme: "file", language })),
  initializationOptions: () => ({ showRankPaths: true, settings: settings() }),
  synchronize: { configurationSection: "ranklint" },
};

async function start(): Promise<void> {
  client = new LanguageClient("ranklint", "ranklint", serverOptions(), clientOptions);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void vscode.window.showErrorMessage(`ranklint did not start: ${String(error)}. Set "ranklint.path" to where it is.`);
  }
}

async function restart(): Promise<void> {
  await client?.stop();
  await start();
}

// Asked for from the lightbulb with the paths at hand, or from the palette for the finding in the cursor's line.
async function showRankPaths(given?: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  let paths: unknown = given;
  if (!isRankPaths(paths) && client && editor) {
    const { line, character } = editor.selection.active;
    paths = await client.sendRequest("workspace/executeCommand", {
      command: "ranklint.rankPaths",
      arguments: [{ textDocument: { uri: client.code2ProtocolConverter.asUri(editor.document.uri) }, position: { line, character } }],
    });
  }
  if (!isRankPaths(paths)) {
    void vscode.window.showInformationMessage("ranklint: no finding with paths of ranks in this line.");
    return;
  }
  show(paths);
}

function show(paths: RankPaths): void {
  panel ??= vscode.window.createWebviewPanel("ranklint", "Ranks", vscode.ViewColumn.Beside, { enableScripts: true });
  panel.onDidDispose(() => (panel = undefined));
  panel.webview.onDidReceiveMessage(open);
  panel.title = `${paths.code} ranks`;
  panel.webview.html = page(paths);
  panel.reveal(vscode.ViewColumn.Beside, true);
}

async function open(message: { uri?: unknown; line?: unknown; character?: unknown }): Promise<void> {
  if (typeof message.uri !== "string" || typeof message.line !== "number" || typeof message.character !== "number") return;
  const at = new vscode.Position(message.line, message.character);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(message.uri));
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(at, at) });
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("ranklint.showRankPaths", showRankPaths),
    vscode.commands.registerCommand("ranklint.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("ranklint.path")) void restart();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
