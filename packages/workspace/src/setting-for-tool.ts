/** The command that gives agents a tool of this name; `undefined` for a tool that no built-in setting allows. */
export function settingForTool(tool: string): string | undefined {
  return Object.hasOwn(settings, tool) ? settings[tool] : undefined
}

const settings: Readonly<Record<string, string>> = {
  files_list: 'agentm config set tools.files read',
  files_read: 'agentm config set tools.files read',
  files_write: 'agentm config set tools.files write',
  files_edit: 'agentm config set tools.files write',
  shell: 'agentm config set tools.shell.allow PROGRAM,PROGRAM',
  http: 'agentm config set tools.http.hosts HOST,HOST',
  http_send: 'agentm config set tools.http.hosts HOST,HOST',
  memory_recall: 'agentm config set tools.memory recall',
  memory_save: 'agentm config set tools.memory save',
}
