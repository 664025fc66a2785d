// @ts-check
/**
 * What to do about each error, for docs/reference/errors.md, and when it comes where the comment of its class speaks of several. The key is
 * the package and the code. The message of an error names the thing and the place; this is the part that is always the same.
 *
 * @type {Readonly<Record<string, { readonly cause?: string, readonly cure: string }>>}
 */
export const cures = {
  'agent-loop MODEL_CONFIG': {
    cure: 'Correct `models.*` in your own config, and set the variable it names to the key.',
  },
  'agent-loop MODEL_FAILED': {
    cause:
      'A provider refused, did not answer, or answered what cannot be read. It is tried again where that may help.',
    cure: 'Read what the provider said: a wrong key or model name has to be corrected, a limit passes.',
  },
  'agent-loop TOOL_FAILED': {
    cause: 'A tool says that a call did not work; `type` says in what way.',
    cure: 'The model reads it and goes on. In a tool of your own, throw it with the type that fits.',
  },
  'cli USAGE': { cure: 'Read the line under it and `agentm help COMMAND`; the exit code is 2.' },
  'cli HOST_CONFIG': {
    cause: "An agent host's configuration file cannot be understood, or has another server under our name.",
    cure: 'Mend that file, or add the printed part by hand; nothing was written.',
  },
  'cli PLAN_FILE': { cure: 'Correct the lines that are named; nothing was written.' },
  'cli ERASED': {
    cure: 'Nothing: what was erased is gone for good. `agentm trace PLAN` tells what is left of a plan.',
  },
  'cli KIND_NOT_ALLOWED': {
    cure: 'Allow the kind with the printed `agentm config set harness.kinds …`, or run the plan on a machine that allows it.',
  },
  'cli MODEL_UNREACHABLE': {
    cure: 'Start the model or correct `models.url`; where its key is refused, set the variable that is named. `agentm doctor` asks again.',
  },
  'conformance CONTRACT_BROKEN': {
    cure: 'The backend or log breaks the named contract. The message says what was done and seen.',
  },
  'conformance CREW_REFUSED': {
    cause: 'A process that takes part in a contract ended by itself, or is not built.',
    cure: 'Read what it said last; in a checkout, run `npm run build` first.',
  },
  'conformance PLUGIN_ABSENT': {
    cause: 'The named module exports no backend plugin of this seam.',
    cure: 'Export `plugin` from it, or use the suite that fits its seam version.',
  },
  'conformance SETTINGS_REFUSED': {
    cause: 'The settings name a root outright; the suite writes, kills and plants links in it.',
    cure: 'Write `{directory}` in its place, so that each contract gets a directory of its own.',
  },
  'embedder-static STATIC_TABLE': {
    cure: 'Install the package again, or correct the path of your own table; `fault` says which it is.',
  },
  'gates USAGE': {
    cause: 'The gates were asked or configured wrongly.',
    cure: 'Correct the option or the line of `agentm-gates.config.mjs` it names.',
  },
  'gates UNREADABLE': {
    cause: 'A source file cannot be read or understood.',
    cure: 'Make the project compile (`tsc --noEmit`), then run the gates again.',
  },
  'harness INVALID_PLAN': {
    cure: 'Correct every problem in the list, then create the plan again; nothing of it was written.',
  },
  'harness IDEMPOTENCY_CONFLICT': { cure: 'Use a new key for new content, or the same content for the old key.' },
  'harness STEP_REFUSED': { cure: 'Ask `agentm plan status` what the step waits for, and use the command it names.' },
  'harness PLAN_OPEN': { cure: 'Wait for its end, or `agentm cancel PLAN`; then erase it.' },
  'harness PLAN_OVER': { cure: 'Create a new plan for what is left to do.' },
  'harness AMBIGUOUS_ID': { cure: 'Give more characters of the id; `agentm status` lists them.' },
  'harness ANSWER_REFUSED': { cure: 'Give one of the allowed answers to the question that was asked.' },
  'harness FENCED': { cure: 'Nothing: another worker has the step. The error is what keeps it from running twice.' },
  'harness WORKER_STOPPING': { cure: 'Nothing: the step goes back and another worker takes it.' },
  'harness STEP_TIMEOUT': { cure: 'Give the step a longer `timeoutMs`, or make it smaller.' },
  'harness LEASE_UNTRUSTED': {
    cure: 'Nothing, if it happens once. If often: the machine sleeps, is overloaded, or the disk of the log hangs.',
  },
  'harness AGENT_UNAVAILABLE': {
    cure: 'Assign another agent and retry the step; `agentm agents` lists those there are.',
  },
  'learning CONSOLIDATION_LOST': {
    cure: 'Nothing: the other run goes on from where this one was. If it happens often, raise `consolidation.leaseMs`.',
  },
  'learning DISTILLER_FAILED': {
    cure: 'Nothing at once: the episodes wait, and the next run asks again. If it stays, choose another model, or unset it.',
  },
  'mcp-server INVALID_INPUT': {
    cause: 'A tool was called with arguments that do not fit.',
    cure: 'Correct the argument it names.',
  },
  'mcp-server TOKEN_REQUIRED': {
    cause: '`agentm serve` was started without a token.',
    cure: 'Set `AGENTM_MCP_TOKEN` to a long random text, here and in the hosts.',
  },
  'mcp-server TOKEN_INVALID': {
    cause: 'The token cannot be sent in a header.',
    cure: 'Use letters, digits and punctuation of ASCII, without spaces.',
  },
  'mcp-server TOKEN_WEAK': {
    cause: 'The token has fewer than 16 characters, or fewer than 8 different ones, and could be guessed.',
    cure: 'Set `AGENTM_MCP_TOKEN` to what `node -p "crypto.randomUUID()"` prints, here and in the hosts.',
  },
  'mcp-server PORT_INVALID': { cause: 'The port is no number from 0 to 65535.', cure: 'Choose another `--port`.' },
  'mcp-server PORT_IN_USE': {
    cause: 'Another program listens on that port.',
    cure: 'Stop it, or choose another `--port`.',
  },
  'nodes-sqlite SQLITE_ABSENT': {
    cause: 'A newer Node ran the installation and left out the SQLite that this Node needs.',
    cure: 'Run `npm install` again with the Node that runs the program, or use Node 22.13 or newer.',
  },
  'memory INVALID_NOTE': {
    cause: 'A field of the note is absent or holds what it may not.',
    cure: 'Correct the field it names and save again.',
  },
  'memory SLUG_TAKEN': { cure: 'Choose another slug, or supersede the note that has it.' },
  'memory IDEMPOTENCY_CONFLICT': {
    cause: 'The key was used before, for another text.',
    cure: 'Use a new key for a new text.',
  },
  'memory SECRET_FOUND': { cure: 'Save where the secret is kept instead of the secret.' },
  'memory NOTE_ABSENT': {
    cause: 'No note of that id, slug or place is visible from this project.',
    cure: '`agentm recall` and `agentm search` show ids and places.',
  },
  'memory NOTE_NOT_ACTIVE': {
    cause: 'The note was forgotten or superseded.',
    cure: 'Supersede the note that took its place; `agentm history` names it.',
  },
  'memory NOT_FORGETTABLE': {
    cause: 'An episode is part of what happened and has no status.',
    cure: 'Use `agentm forget --purge`, which erases its text.',
  },
  'memory NOT_RESTORABLE': {
    cure: 'Nothing of the text is left. Save it again, if somebody still knows it.',
  },
  'memory PERSON_NEEDED': {
    cure: 'Run the command the message names at a terminal, and type the number it shows. Programs and agents can only change what agents wrote.',
  },
  'memory PROJECT_REFUSED': {
    cause: "Another project's memory was asked for.",
    cure: 'Run the command in that project, or bind this directory with `agentm project`.',
  },
  'memory STORE_NOT_MARKED': {
    cause: 'The store is not the one the index was made from.',
    cure: 'Mount the right drive, or point the configuration at this store.',
  },
  'memory SOURCE_TIER': {
    cause: 'The notes themselves cannot be rebuilt from anything.',
    cure: 'Reindex `local-index` or `shared-abstracts`.',
  },
  'memory TIER_UNAVAILABLE': {
    cause: 'What the tier is made from is not open here.',
    cure: 'Run it where the log is configured.',
  },
  'memory EMBEDDER_FAILED': {
    cause: 'The embedder refused texts or did not answer.',
    cure: 'Check `embedder.*` in the configuration; recall by words works meanwhile, and missing vectors are made up later.',
  },
  'nodes INVALID_ID': { cure: 'Write `<concept>:<short>`, or the short part alone where the concept is known.' },
  'nodes UNKNOWN_CONCEPT': { cure: 'Pass the concept to the opener of the store.' },
  'nodes INVALID_PAYLOAD': { cure: 'Correct the fields it lists; nothing was written.' },
  'nodes GUARD_REFUSED': { cure: 'Read the node again: it moved on, or the transition does not exist.' },
  'nodes VERSION_CONFLICT': { cure: 'Read it again, decide again, append again.' },
  'nodes OWNER_REFUSED': { cure: 'Name an owner; rows of somebody else cannot be changed.' },
  'nodes RELATION_REFUSED': { cure: 'Point at something that exists, is yours, and does not lead back.' },
  'nodes ABSENT_NODE': { cure: 'Check the id and the owner.' },
  'nodes REDACTED_NODE': { cure: 'Create a new node instead.' },
  'nodes CORRUPT_NODE': { cure: 'Restore it from a backup; the row was left as it is.' },
  'nodes INVALID_VECTOR': { cure: 'Look at the embedder: it gave zeros, NaN or the wrong number of dimensions.' },
  'nodes INVALID_QUERY': { cure: 'Correct the argument it names.' },
  'nodes SESSION_LOST': { cure: 'Open a new session and claim again.' },
  'nodes STORE_NEWER': { cure: 'Upgrade this installation; nothing was changed.' },
  'nodes UNSAFE_PLACE': {
    cure: 'Set `AGENTM_HOME` or `nodes.url` to a directory of this machine that nothing synchronises.',
  },
  'nodes CORRUPT_STORE': {
    cure: 'The damaged file is kept: where it was, or under the name in the message. Put a backup in its place, or go on with a new one.',
  },
  'nodes STORE_BUSY': { cure: 'Try again; nothing was written.' },
  'nodes STORE_FAULT': {
    cure: 'Free some space, correct the permissions, or mount the disk for writing; `fault` says which it is.',
  },
  'nodes STORE_CLOSED': { cure: 'Open it again.' },
  'nodes-postgres SERVER_UNREACHABLE': {
    cause: 'No server answers there, or the line broke.',
    cure: 'Start it, or correct host and port of `nodes.url`.',
  },
  'nodes-postgres SERVER_TOO_OLD': {
    cause: 'The server is older than PostgreSQL 15.',
    cure: 'Upgrade it, or name another one.',
  },
  'nodes-postgres CREDENTIALS_REFUSED': {
    cause: 'The server does not accept user or password.',
    cure: 'Set `PGPASSWORD` or `PGPASSFILE` in the environment; never put it into the URL.',
  },
  'nodes-postgres DATABASE_ABSENT': {
    cause: 'The server has no such database.',
    cure: '`createdb NAME`, or correct the URL.',
  },
  'nodes-postgres PRIVILEGE_ABSENT': {
    cause: 'The user may not do what is needed in that database.',
    cure: 'Grant it, or let an administrator apply the output of `printMigrations()`.',
  },
  'nodes-postgres SCHEMA_ABSENT': {
    cause: 'The tables are not there yet, and this program was told not to make them.',
    cure: 'Apply the output of `printMigrations()`, or open it with `migrate`.',
  },
  'nodes-postgres INVALID_URL': {
    cause: 'The URL cannot be read, or holds a password.',
    cure: 'Write `postgres://user@host:5432/database`, and the password into the environment.',
  },
  'nodes-postgres OUTCOME_UNKNOWN': {
    cause: 'The connection broke, or fell silent, between a commit and its answer: it may have happened or not.',
    cure: 'Read, then append again with what you expect; an append with `expects` or an idempotency key happens once.',
  },
  'nodes-postgres STATEMENT_TIMEOUT': {
    cause: 'The server gave up a statement that took longer than `statementTimeoutMs`.',
    cure: 'Try again when the server is less busy; nothing was written.',
  },
  'routing INVALID_SLUG': { cure: 'Use lower-case letters, digits and hyphens.' },
  'routing INVALID_PLAN': { cure: 'Correct the plan file at the line it names.' },
  'routing INVALID_FILE_NAME': { cure: 'Use one of the names of state files; the message lists them.' },
  'routing OUTSIDE_CHECKOUT': {
    cause: 'A symbolic link stands on the way to a state file of this checkout.',
    cure: 'Put a directory and plain files in place of the links, or keep the state in the store. Nothing was read or written.',
  },
  'routing ACTIVE_PLAN': {
    cure: '`agentm project plans` names the active plan; close it first, or name the one you mean.',
  },
  'routing UNREADABLE_FILE': { cure: 'Correct its permissions or its content; it was left as it is.' },
  'routing REGISTRY_CORRUPT': { cure: 'Mend the file it names or restore it from a backup; nothing was written.' },
  'routing SLUG_BOUND': { cure: 'Choose another slug, or unbind the other repository.' },
  'selection CONFIG_VALUE': { cure: '`agentm config set KEY VALUE` with a value it names.' },
  'selection JSON_SYNTAX': { cure: 'Mend the file at the line and column it names.' },
  'selection STORAGE_SELECTION': {
    cause: 'The configured storage cannot be had, and nothing else is used in its place; `reason` says why.',
    cure: '`agentm doctor` shows what is configured and what was found; the message names the command.',
  },
  'storage-seam INVALID_LOCATOR': {
    cure: 'Use relative keys with `/`, without `..`, control characters and names Windows reserves.',
  },
  'storage-seam PROTOCOL': { cure: 'Register each protocol once, with a plugin object.' },
  'storage-seam TIER_LAYOUT': {
    cure: 'Give each tier a root of its own; the local index outside everything that is replicated.',
  },
  'storage-seam NOT_FOUND': { cure: 'Nothing, if it may be absent. Otherwise list the directory above it.' },
  'storage-seam NOT_A_FILE': { cure: 'Choose another key, or move away what stands there.' },
  'storage-seam CORRUPT_TEXT': { cure: 'Repair the file or move it away; it was left as it is.' },
  'storage-seam INVALID_TEXT': { cure: 'Call `toWellFormed()` on the text first.' },
  'storage-seam OUTSIDE_STORE': { cure: "Remove the link on the way, or name its target in the backend's allow-list." },
  'storage-seam STORE_MARKER_CORRUPT': {
    cure: 'Restore `_meta/agentm-store.json` from a backup, or write `{"id": "…"}` into it with the `store_id` of your config.',
  },
  'storage-seam STORE_UNAVAILABLE': { cure: 'Mount the drive, start the sync program, or correct the path.' },
  'storage-seam DEVICE_FAULT': {
    cure: '`fault` has the system’s word for it, and the message what to do: free space, correct permissions, check the disk.',
  },
  'storage-seam ONLINE_ONLY': { cure: 'Make the file available offline in your sync program.' },
  'storage-seam CONCURRENT_MODIFICATION': {
    cure: 'Read again, apply the change to what is there now, write again; or use `update`.',
  },
  'storage-seam UNSUPPORTED_CAPABILITY': { cure: 'Choose another `storage.backend`.' },
  'storage-seam GRANT_REFUSED': { cure: 'Ask the person again; a grant fits one text, one place and a short time.' },
  'vault-lock INVALID_PATH': { cure: 'Pass an absolute path without a zero byte.' },
  'vault-lock LOCK_TIMEOUT': { cure: 'Try again, or wait longer with `timeoutMs`; `agentm doctor` names the lock.' },
  'vault-lock LOCK_LOST': { cure: 'Read again and start over.' },
  'vault-lock LOCK_BLOCKED': {
    cure: 'Look at the directory it names: it cannot be made, or something else stands there.',
  },
  'vault-lock LOCK_ELSEWHERE': {
    cure: 'Let this process reach the lock it names, or wait until the other writers are done; `agentm doctor` compares both.',
  },
  'vault-lock NOT_REPLACEABLE': { cure: 'Resolve the link and write to its target, or choose another name.' },
  'workspace SERVER_RESTORE': {
    cure: 'Restore with `restorePostgresBackup` into an empty server, then set `nodes.url`.',
  },
  'workspace CONSOLIDATION_CONFIG': {
    cause: 'The config names a time zone that this system does not know.',
    cure: 'Set `consolidation.timeZone` to one it knows, such as `UTC`.',
  },
  'workspace EMBEDDER_CONFIG': { cure: 'Correct `embedder.*` in the configuration.' },
  'workspace HARNESS_CONFIG': {
    cure: 'Correct `harness.*` or `tools.*` in your own config; what a worker may do is allowed there and nowhere else.',
  },
  'workspace LOG_BEHIND': {
    cure: '`agentm log migrate`, or any command that writes. Older programs refuse the log from then on, so update them first.',
  },
  'workspace LOG_PLUGIN': {
    cure: 'Install the package that opens the log beside agentm, or correct `nodes.url` and `nodes.plugins`; the message names the package and what is wrong.',
  },
  'workspace MODEL_CONFIG': {
    cure: 'Set `models.url` and `models.model` in your own config, and the variable that `models.keyVariable` names to the key.',
  },
  'workspace MODEL_UNPRICED': {
    cure: 'Set `models.prices` for the model as printed, in dollars per million tokens, or take the limit of money away.',
  },
  'workspace NODES_PACKAGE_ABSENT': { cure: 'Install `@agentm/nodes-postgres` beside agentm, or unset `nodes.url`.' },
}
