-- Neovim as a client: opens a file with a hazard, waits for the diagnostic, edits it away, waits until it is gone.
-- nvim --headless --clean -l is newer than the oldest Neovim that is supported, so: -c "luafile neovim.lua".
local function fail(message)
  io.stderr:write("neovim: " .. message .. "\n")
  vim.cmd("cquit 1")
end

local folder = os.getenv("RANKLINT_FOLDER")
vim.cmd("edit " .. folder .. "/train.py")
local client = vim.lsp.start_client({ name = "ranklint", cmd = { os.getenv("RANKLINT"), "server" }, root_dir = folder })
if not client then fail("the server did not start") end
vim.lsp.buf_attach_client(0, client)

local function count() return #vim.diagnostic.get(0) end
if not vim.wait(30000, function() return count() == 1 end, 20) then fail("no diagnostic came") end
local found = vim.diagnostic.get(0)[1]
if found.code ~= "RL101" or found.lnum ~= 4 then fail("another diagnostic: " .. vim.inspect(found)) end

local actions = vim.lsp.buf_request_sync(0, "textDocument/codeAction", {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = { start = { line = 4, character = 8 }, ["end"] = { line = 4, character = 8 } },
  context = { diagnostics = {} },
}, 10000)
if #actions[client].result < 2 then fail("no code actions: " .. vim.inspect(actions)) end

vim.api.nvim_buf_set_lines(0, 3, 4, true, { "    if True:  # é𝄞" })
if not vim.wait(30000, function() return count() == 0 end, 20) then fail("the diagnostic stayed") end
vim.api.nvim_buf_set_lines(0, 3, 4, true, { "    if dist.get_rank() == 0:  # é𝄞" })
if not vim.wait(30000, function() return count() == 1 end, 20) then fail("the diagnostic did not come back") end
vim.lsp.stop_client(client)
if not vim.wait(10000, function() return vim.lsp.client_is_stopped(client) end, 20) then fail("the server did not leave") end
print("neovim: ok\n")
vim.cmd("qall!")
