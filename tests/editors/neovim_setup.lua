-- What docs/editors.md says for Neovim before 0.11, as it stands there: two files, one server, each finding once.
local function fail(message)
  io.stderr:write("neovim: " .. message .. "\n")
  vim.cmd("cquit 1")
end

local page = io.open(os.getenv("RANKLINT_DOCS") .. "/editors.md"):read("*a")
local setup = page:match("Before 0.11:\n\n(.-)\n## ")
if not setup then fail("docs/editors.md has no set-up for Neovim before 0.11") end
vim.cmd("filetype on")
vim.cmd("cd " .. os.getenv("RANKLINT_FOLDER"))
assert(loadstring(setup))()

for _, name in ipairs({ "train.py", "again.py" }) do
  vim.cmd("edit " .. name)
  if not vim.wait(30000, function() return #vim.diagnostic.get(0) >= 1 end, 20) then fail("no diagnostic came in " .. name) end
end
vim.wait(300, function() return false end)
if #vim.lsp.get_active_clients() ~= 1 then fail(#vim.lsp.get_active_clients() .. " servers run") end
for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
  if #vim.diagnostic.get(buffer) ~= 1 then fail(vim.inspect(vim.diagnostic.get(buffer))) end
end
print("neovim's set-up: ok\n")
vim.cmd("qall!")
