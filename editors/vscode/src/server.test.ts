// The server as VS Code's own protocol library sees it. RANKLINT says where the program is; without it nothing is tested.
import { strict as assert } from "node:assert";
import { ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  CodeActionRequest, createProtocolConnection, Diagnostic, DidChangeTextDocumentNotification, DidOpenTextDocumentNotification, ExitNotification,
  HoverRequest, InitializedNotification, InitializeRequest, ProtocolConnection, PublishDiagnosticsNotification, ShutdownRequest,
  StreamMessageReader, StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { isRankPaths } from "./paths";

const program = process.env.RANKLINT;
const source = "import torch.distributed as dist\n\ndef step():\n    if dist.get_rank() == 0:  # é𝄞\n        dist.barrier()\n";

class Client {
  readonly folder = mkdtempSync(join(tmpdir(), "ranklint-"));
  readonly uri = pathToFileURL(join(this.folder, "train.py")).toString();
  readonly server: ChildProcess;
  readonly connection: ProtocolConnection;
  published: Diagnostic[] | undefined;

  constructor() {
    writeFileSync(join(this.folder, "train.py"), source);
    this.server = spawn(program!, ["server"], { stdio: ["pipe", "pipe", "inherit"] });
    this.connection = createProtocolConnection(new StreamMessageReader(this.server.stdout!), new StreamMessageWriter(this.server.stdin!));
    this.connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      if (params.uri === this.uri) this.published = params.diagnostics;
    });
    this.connection.listen();
  }

  async start(): Promise<void> {
    await this.connection.sendRequest(InitializeRequest.type, {
      processId: process.pid, rootUri: pathToFileURL(this.folder).toString(),
      capabilities: { textDocument: { publishDiagnostics: { relatedInformation: true } } }, initializationOptions: { showRankPaths: true },
    });
    await this.connection.sendNotification(InitializedNotification.type, {});
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: { uri: this.uri, languageId: "python", version: 1, text: source } });
    await this.settle();
  }

  async settle(): Promise<void> {
    await this.connection.sendRequest("ranklint/settle");
  }

  async stop(): Promise<number | null> {
    const left = new Promise<number | null>((resolve) => this.server.once("exit", resolve));
    await this.connection.sendRequest(ShutdownRequest.type);
    await this.connection.sendNotification(ExitNotification.type);
    const status = await left;
    this.connection.dispose();
    rmSync(this.folder, { recursive: true });
    return status;
  }
}

test("a finding is shown, explained, and gone when it is edited away", { skip: !program }, async () => {
  const client = new Client();
  await client.start();
  assert.equal(client.published?.length, 1);
  assert.equal(client.published![0].code, "RL101");
  assert.ok(client.published![0].relatedInformation!.length >= 3);

  const textDocument = { uri: client.uri };
  const position = { line: 4, character: 10 };
  const hover = await client.connection.sendRequest(HoverRequest.type, { textDocument, position });
  assert.match(JSON.stringify(hover), /waits for/);
  const actions = await client.connection.sendRequest(CodeActionRequest.type, { textDocument, range: { start: position, end: position }, context: { diagnostics: [] } });
  const show = actions!.find((action) => "kind" in action && action.command?.command === "ranklint.showRankPaths");
  assert.ok(show && "kind" in show && isRankPaths(show.command!.arguments![0]));

  await client.connection.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri: client.uri, version: 2 },
    contentChanges: [{ range: { start: { line: 3, character: 7 }, end: { line: 3, character: 27 } }, text: "True" }],
  });
  await client.settle();
  assert.deepEqual(client.published, []);
  assert.equal(await client.stop(), 0);
});

test("a request that is taken back is answered as cancelled, once", { skip: !program }, async () => {
  const client = new Client();
  await client.start();
  const { CancellationTokenSource } = await import("vscode-jsonrpc/node");
  const source = new CancellationTokenSource();
  const asked = client.connection.sendRequest("workspace/executeCommand", { command: "ranklint.rankPaths" }, source.token);
  source.cancel();
  await asked.catch((error: { code: number }) => assert.equal(error.code, -32800));
  assert.equal(await client.stop(), 0);
});
