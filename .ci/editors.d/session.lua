-- A learner's session in Neovim, from the stub to a right answer. It runs in `nvim --headless`, and goes on when the server has
-- answered. The first step that is not as expected ends it.

local workbook, grader = vim.env.WORKBOOK, vim.env.GRADER
local limit = 300000 -- ms: for a wait that never ends
local shown = 0 -- how often the server has published
local messages, hovers = {}, {}

local function stop(expected, found)
  io.stderr:write('Expected ' .. expected .. ', but found ' .. found .. '\n')
  vim.cmd('cquit 1')
end

local function say(step, found) io.stdout:write(step .. ': ' .. found .. '\n') end

local function waitFor(expected, condition)
  if not vim.wait(limit, condition, 20) then stop(expected, 'nothing within ' .. limit / 1000 .. ' s') end
end

local severities = { 'error', 'warning', 'information', 'hint' }

-- What Neovim shows, a line each.
local function diagnostics()
  local lines = {}
  for _, item in ipairs(vim.diagnostic.get(0)) do
    local text = vim.api.nvim_buf_get_lines(0, item.lnum, item.lnum + 1, true)[1]
    local message = item.message:gsub('\n', ' · ')
    table.insert(lines, severities[item.severity] .. ' on `' .. vim.trim(text) .. '`: ' .. message)
  end
  return #lines == 0 and 'no diagnostics' or table.concat(lines, '; ')
end

local function expectDiagnostics(step, ...)
  local found = diagnostics()
  for _, part in ipairs({ ... }) do
    if not found:find(part, 1, true) then return stop('`' .. part .. '` after "' .. step .. '"', found) end
  end
  say(step, found)
end

-- Does something, and waits until the server publishes because of it: it does when a verdict comes, and when it goes as the
-- text is another one.
local function published(step, act)
  local before = shown
  act()
  waitFor('diagnostics after "' .. step .. '"', function() return shown > before end)
end

local function save(step) published(step, function() vim.cmd('silent write') end) end

local function write(path) vim.api.nvim_buf_set_lines(0, 0, -1, true, vim.fn.readfile(workbook .. '/' .. path)) end

local function append(line) vim.api.nvim_buf_set_lines(0, -1, -1, true, { line }) end

-- Puts the cursor on a text.
local function place(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local column = line:find(text, 1, true)
    if column then return vim.api.nvim_win_set_cursor(0, { number, column - 1 }) end
  end
  stop('a line with `' .. text .. '`', 'none')
end

-- Lets Neovim handle a notification or an answer as it does, and then looks.
local function after(method, look)
  local handle = vim.lsp.handlers[method]
  return function(err, result, ...)
    handle(err, result, ...)
    look(result)
  end
end

-- Runs a code action by the menu that Neovim shows, and waits for what the server says then. Returns the menu.
local function run(title)
  local before, offered = #messages, {}
  vim.ui.select = function(items, options, choose)
    offered = vim.tbl_map(options.format_item, items)
    for index, found in ipairs(offered) do
      if found == title then return choose(items[index], index) end
    end
    stop('`' .. title .. '` among the code actions', table.concat(offered, ', '))
  end
  vim.lsp.buf.code_action()
  waitFor('a message after "' .. title .. '"', function() return #messages > before end)
  return table.concat(offered, ', ')
end

local function session()
  vim.cmd('silent edit ' .. vim.fn.fnameescape(workbook .. '/Exercises/FirstValue/FirstValue.swift'))
  local client = vim.lsp.start_client({
    name = 'grader',
    cmd = { grader, 'lsp', '--language', 'en' },
    cmd_cwd = workbook,
    root_dir = workbook,
    handlers = {
      ['textDocument/publishDiagnostics'] = after('textDocument/publishDiagnostics', function() shown = shown + 1 end),
      ['window/showMessage'] = after('window/showMessage', function(result) table.insert(messages, result.message) end),
      ['textDocument/hover'] = after('textDocument/hover', function(result) table.insert(hovers, result or {}) end),
    },
  })
  if not client then return stop('a client', 'none') end

  published('open the stub', function() vim.lsp.buf_attach_client(0, client) end)
  save('save the stub')
  expectDiagnostics('save the stub', 'no diagnostics')
  published('write a property', function()
    place('await withUnsafeContinuation { _ in }')
    vim.api.nvim_set_current_line('await Task { for await value in first().values { return value }; fatalError() }.value')
  end)
  save('save one of two properties')
  expectDiagnostics(
    'save one of two properties', 'information on `public var firstValueThrowing: Output {`',
    '`firstValueThrowing` is not written yet.')

  published('type a compile error', function() append('let wrong: Int = "text"') end)
  save('save a compile error')
  expectDiagnostics('save a compile error', 'error on `let wrong: Int = "text"`', "cannot convert value of type 'String'")
  published('type', function() vim.api.nvim_buf_set_lines(0, 0, 0, true, { '// More.' }) end)
  expectDiagnostics('type without saving', 'no diagnostics')

  write('Tests/FirstValueTests/Mutants/NilIsNoValue.swift')
  save('save a wrong answer')
  expectDiagnostics('save a wrong answer', 'warning on `public var firstValue: Output {`')

  place('firstValue: Output')
  say('code actions', run('Next hint'))
  local hint = messages[1]:match('\n\n.-\n\n(.+)$')
  if not hint then return stop('a title, a heading and a hint', messages[1]) end
  say('next hint', hint)

  vim.lsp.buf.hover()
  waitFor('an answer to hover', function() return #hovers > 0 end)
  local contents = hovers[1].contents and hovers[1].contents.value or 'nothing'
  if not contents:find(hint, 1, true) then return stop('the hint in hover', contents) end
  local windows = vim.tbl_filter(
    function(window) return vim.api.nvim_win_get_config(window).relative ~= '' end, vim.api.nvim_list_wins())
  if #windows ~= 1 then return stop('one window with what hover found', tostring(#windows)) end
  say('hover', 'the hint, in a window')

  published('type the right answer', function() write('Solutions/FirstValue/FirstValue.swift') end)
  save('save the right answer')
  expectDiagnostics('save the right answer', 'no diagnostics')

  vim.lsp.codelens.refresh()
  waitFor('a code lens', function() return #vim.lsp.codelens.get(0) > 0 end)
  local lens = vim.lsp.codelens.get(0)[1].command.title
  if not lens:find('100/100', 1, true) then return stop('`100/100` in the code lens', lens) end
  say('code lens', lens)

  say('code actions', run('Compare with: `first()`, `sink` and a lock'))
  if not messages[#messages]:find('WithALock.swift', 1, true) then return stop('`WithALock.swift`', messages[#messages]) end
  say('another answer', (messages[#messages]:gsub('\n', ' · ')))
  run('Reset to the stub')
  local stub = vim.fn.readfile(workbook .. '/Exercises/FirstValue/.shipped/FirstValue.swift')
  local text = vim.api.nvim_buf_get_lines(0, 0, -1, true)
  if text[#text] == '' then table.remove(text) end
  if not vim.deep_equal(text, stub) then return stop('the stub after a reset', table.concat(text, '\n')) end
  if not messages[#messages]:find('backups', 1, true) then return stop('a copy in `backups`', messages[#messages]) end
  say('reset', messages[#messages])

  vim.lsp.stop_client(client)
  waitFor('the end of the server', function() return vim.lsp.client_is_stopped(client) end)
  vim.cmd('qall!')
end

local isDone, problem = xpcall(session, debug.traceback)
if not isDone then stop('a session without errors', problem) end
