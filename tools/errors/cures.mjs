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
      'A model provider refused the request, did not answer, or sent an answer that cannot be read. agentm retries if that may help.',
    cure: 'Read the message of the provider. Correct a wrong key or model name; wait if it is a rate limit.',
  },
  'agent-loop TOOL_FAILED': {
    cause: 'A tool reports that a call failed; `type` says how.',
    cure: 'Nothing: the model reads the error and continues. In your own tool, throw this error with the matching type.',
  },
  'cli USAGE': { cure: 'Run the command in the line below the error; it prints the help.' },
  'cli EMBEDDER_INCOMPLETE': {
    cause: 'The embedder failed while `agentm eval recall` ran, so the figures would mix two kinds of search.',
    cure: 'Correct the embedder that your config names, or measure without it: `--words-only`.',
  },
  'cli IMPORT_FILE': {
    cause: 'A file to import is damaged, too large, or of another format. Nothing was imported.',
    cure: 'Correct the place that is named or copy the file again, then run the same `agentm import`. It imports nothing twice.',
  },
  'cli ARCHIVE_FILE': {
    cause:
      'An archive of a log cannot be written, or one that was named cannot be read: it is damaged, incomplete, or something else.',
    cure: 'Name another file or another copy. Nothing leaves the log before its archive was read again from the disk.',
  },
  'cli HOST_CONFIG': {
    cause: 'The configuration file of an agent host cannot be parsed, or already has a different server named agentm.',
    cure: 'Correct that file, or add the printed part by hand. Nothing was written.',
  },
  'cli PLAN_FILE': { cure: 'Correct the lines that are named; nothing was written.' },
  'cli ERASED': {
    cure: 'Nothing: erased content cannot be restored. `agentm trace PLAN` still shows ids, statuses and times.',
  },
  'cli CHECK_NOT_ALLOWED': {
    cure: 'Allow steps of kind `command` with the printed `agentm config set harness.kinds …`, or confirm the command for this repository: `agentm do --check CMD`.',
  },
  'cli TOOLS_LACKING': {
    cure: 'Allow the tools with the printed settings. `--anyway` starts the agents without them; a step whose calls are then refused fails.',
  },
  'cli KIND_NOT_ALLOWED': {
    cure: 'Allow the kind with the printed `agentm config set harness.kinds …`, or run the plan on a machine that allows it.',
  },
  'cli MODEL_UNREACHABLE': {
    cure: 'Start the model server, or correct `models.url`. If the key is refused, set the variable in the message. Then check with `agentm doctor`.',
  },
  'conformance CONTRACT_BROKEN': {
    cure: 'The backend or log breaks the named contract. The message says what the test did and what it saw.',
  },
  'conformance CREW_REFUSED': {
    cause: 'A process that takes part in a contract ended unexpectedly, or is not built.',
    cure: 'Read its last output. In a checkout, run `npm run build` first.',
  },
  'conformance PLUGIN_ABSENT': {
    cause: 'The named module exports no backend plugin of this seam.',
    cure: 'Export `plugin` from it, or use the suite that fits its seam version.',
  },
  'conformance SETTINGS_REFUSED': {
    cause: 'The settings name a fixed root, but the suite writes files, kills processes and creates links in it.',
    cure: 'Write `{directory}` in its place, so that each contract gets a directory of its own.',
  },
  'embedder-static STATIC_TABLE': {
    cure: 'Install the package again, or correct the path of your own table; `fault` says which of the two.',
  },
  'gates USAGE': {
    cause: 'The gates were asked or configured wrongly.',
    cure: 'Correct the option or the line of `agentm-gates.config.mjs` it names.',
  },
  'gates UNREADABLE': {
    cause: 'A source file cannot be read or understood.',
    cure: 'Make the project compile (`tsc --noEmit`), then run the gates again.',
  },
  'harness TREES_REFUSED': {
    cure: 'Do what the message says: commit the named files, leave the result as a branch with `agentm apply PLAN --branch NAME`, or let the plan work in the folder itself with `--trees none`.',
  },
  'harness TREES_CONFLICT': {
    cure: 'Edit the named files in the directory of the question, then answer it: `agentm approve STEP --answer resolved`. `leave-out` goes on without the later step.',
  },
  'harness INVALID_PLAN': {
    cure: 'Correct every problem in the list, then create the plan again; nothing of it was written.',
  },
  'harness INVALID_SCHEDULE': {
    cure: 'Correct every problem in the list, then add the schedule again. `agentm schedule add … --dry-run` prints the next times.',
  },
  'harness IDEMPOTENCY_CONFLICT': { cure: 'Use a new key for new content, or the same content for the old key.' },
  'harness STEP_REFUSED': {
    cure: 'Run `agentm status STEP` to see what the step waits for, and use the command it names.',
  },
  'harness FORK_REFUSED': {
    cure: 'The message says which input, step or tree is the reason. Correct the input, or choose an earlier `--from STEP`.',
  },
  'harness PLAN_OPEN': { cure: 'Wait for its end, or `agentm cancel PLAN`; then erase it.' },
  'harness PLAN_OVER': { cure: 'Create a new plan of the unfinished steps: `agentm retry PLAN`.' },
  'harness AMBIGUOUS_ID': { cure: 'Give more characters of the id; `agentm status` lists them.' },
  'harness NONDETERMINISM': {
    cure: 'Put the code of the function back, guard the change with `run.patched()`, or give it a new `version`. The run then goes on.',
  },
  'harness RUN_INSIDE_STEP': { cure: 'Move the call of `run` out of the step, into the function.' },
  'harness FUNCTION_FAILED': { cure: 'Mend what the message names, and start the function again with another id.' },
  'harness FUNCTION_CANCELLED': { cure: 'Nothing: somebody cancelled the run. Start it again with another id.' },
  'harness FUNCTION_STEP_FAILED': { cure: 'Catch it in the function, or mend what the message names.' },
  'harness ANSWER_REFUSED': { cure: 'Give one of the allowed answers to the question that was asked.' },
  'harness ANSWER_NEEDS_PERSON': {
    cure: 'A person answers: `agentm approve STEP`. In a plan file, `mayAnswer: anyone` lets agents answer a question.',
  },
  'harness FENCED': { cure: 'Nothing: another worker runs the step. This error keeps the step from running twice.' },
  'harness WORKER_STOPPING': { cure: 'Nothing: the step is handed back, and another worker takes it.' },
  'harness STEP_TIMEOUT': { cure: 'Give the step a longer `timeoutMs`, or make it smaller.' },
  'harness LEASE_UNTRUSTED': {
    cure: 'Nothing, if it happens once. If often: the machine sleeps, is overloaded, or the disk of the log hangs.',
  },
  'harness AGENT_UNAVAILABLE': {
    cure: 'Assign another agent and retry the step; `agentm agents` lists the agents.',
  },
  'learning CONSOLIDATION_LOST': {
    cure: 'Nothing: the other run continues. If it happens often, raise `consolidation.leaseMs`.',
  },
  'learning LESSON_REFUSED': {
    cure: 'Decide about one that waits: `agentm learned` lists them.',
  },
  'learning BELIEF_REFUSED': {
    cure: 'Decide about one that is active: `agentm beliefs` lists them. What waits for a decision: `agentm learned`.',
  },
  'learning DISTILLER_FAILED': {
    cure: 'Nothing at first: the next run tries the same episodes again. If it keeps failing, choose another model, or unset it.',
  },
  'learning UNKNOWN_SESSION': {
    cure: 'List the sessions with `agentm sessions --all` and give more of the id. To capture what is new: `agentm capture sessions`.',
  },
  'mcp-server INVALID_INPUT': {
    cause: 'A tool was called with arguments that do not fit.',
    cure: 'Correct the argument it names.',
  },
  'mcp-server PERSON_NEEDED': {
    cause: 'An agent wanted to resume a plan that a person paused.',
    cure: 'A person resumes it: `agentm resume PLAN`.',
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
  'mcp-server PORT_INVALID': { cause: 'The port is not a number from 0 to 65535.', cure: 'Choose another `--port`.' },
  'mcp-server PORT_IN_USE': {
    cause: 'Another program listens on that port.',
    cure: 'Stop it, or choose another `--port`.',
  },
  'nodes-sqlite SQLITE_ABSENT': {
    cause: 'A newer Node ran the installation and left out the SQLite that this Node needs.',
    cure: 'Run `npm install` again with the Node that runs the program, or use Node 22.13 or newer.',
  },
  'memory INVALID_NOTE': {
    cause: 'A field of the note is absent or has a value that is not allowed.',
    cure: 'Correct the field it names and save again.',
  },
  'memory SLUG_TAKEN': { cure: 'Choose another slug, or supersede the note that has it.' },
  'memory IDEMPOTENCY_CONFLICT': {
    cause: 'The key was used before, for another text.',
    cure: 'Use a new key for a new text.',
  },
  'memory SECRET_FOUND': { cure: 'Save the place where the secret is stored instead of the secret.' },
  'memory NOTE_ABSENT': {
    cause: 'No note of that id, slug or place is visible from this project.',
    cure: '`agentm recall` and `agentm search` show ids and places.',
  },
  'memory NOTE_NOT_ACTIVE': {
    cause: 'The note was forgotten or superseded.',
    cure: 'Supersede the note that took its place; `agentm history` names it.',
  },
  'memory NOT_FORGETTABLE': {
    cause: 'An episode is a record of what happened, so it cannot be marked as forgotten.',
    cure: 'Use `agentm forget --purge`, which permanently deletes its text.',
  },
  'memory NOT_RESTORABLE': {
    cure: 'Nothing: the text was permanently deleted. Save it again if you still know it.',
  },
  'memory PERSON_NEEDED': {
    cure: 'Run the command the message names at a terminal, and type the number it shows. Programs and agents can only change what agents wrote.',
  },
  'memory PROJECT_REFUSED': {
    cause: "Another project's memory was asked for.",
    cure: 'Run the command in that project, or bind this directory with `agentm project`.',
  },
  'memory STORE_NOT_MARKED': {
    cause: 'The index was built from another store.',
    cure: 'Mount the right drive, or change the configuration to use this store.',
  },
  'memory SOURCE_TIER': {
    cause: 'The notes themselves cannot be rebuilt from anything.',
    cure: 'Reindex `local-index` or `shared-abstracts`.',
  },
  'memory TIER_UNAVAILABLE': {
    cause: 'The data that the tier is derived from is not open here.',
    cure: 'Run it where the log is configured.',
  },
  'memory EMBEDDER_FAILED': {
    cause: 'The embedder refused texts or did not answer.',
    cure: 'Check `embedder.*` in the configuration; until then recall works by words, and missing vectors are computed later.',
  },
  'memory RERANKER_FAILED': {
    cause: 'The reranker was late, answered something unusable, or did not answer.',
    cure: 'Check `reranker.*` in the configuration; until then recall answers in its own order.',
  },
  'nodes INVALID_ID': { cure: 'Write `<concept>:<short>`, or the short part alone where the concept is known.' },
  'nodes UNKNOWN_CONCEPT': { cure: 'Pass the concept to the opener of the store.' },
  'nodes INVALID_PAYLOAD': { cure: 'Correct the fields it lists; nothing was written.' },
  'nodes GUARD_REFUSED': { cure: 'Read the node again: its status has changed, or the transition does not exist.' },
  'nodes VERSION_CONFLICT': { cure: 'Read the node again, decide again, and append again.' },
  'nodes OWNER_REFUSED': { cure: 'Name an owner. Rows of another owner cannot be changed.' },
  'nodes RELATION_REFUSED': {
    cure: 'Refer to a node that exists, belongs to the same owner, and does not refer back.',
  },
  'nodes ABSENT_NODE': { cure: 'Check the id and the owner.' },
  'nodes REDACTED_NODE': { cure: 'Create a new node instead.' },
  'nodes CORRUPT_NODE': { cure: 'Restore it from a backup. The row was not changed.' },
  'nodes INVALID_VECTOR': { cure: 'Check the embedder: it returned zeros, NaN or the wrong number of dimensions.' },
  'nodes INVALID_QUERY': { cure: 'Correct the argument it names.' },
  'nodes SESSION_LOST': { cure: 'Open a new session and claim again.' },
  'nodes STORE_NEWER': { cure: 'Upgrade this installation; nothing was changed.' },
  'nodes UNSAFE_PLACE': {
    cure: 'Set `AGENTM_HOME` or `nodes.url` to a directory on this machine that no program synchronises.',
  },
  'nodes CORRUPT_STORE': {
    cure: 'Restore a backup, or continue with a new log. The damaged file is kept at its place, or under the name in the message.',
  },
  'nodes STORE_BUSY': { cure: 'Try again, after ending the programs that the message names; nothing was written.' },
  'nodes STORE_FAULT': {
    cure: 'Free some space, correct the permissions, or mount the disk for writing; `fault` says which it is.',
  },
  'nodes STORE_CLOSED': { cure: 'Open it again.' },
  'nodes-postgres SERVER_UNREACHABLE': {
    cause: 'No server answers at that address, or the connection broke.',
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
    cause: 'The tables do not exist yet, and the program was configured not to create them.',
    cure: 'Apply the output of `printMigrations()`, or open it with `migrate`.',
  },
  'nodes-postgres INVALID_URL': {
    cause: 'The URL cannot be parsed, or contains a password.',
    cure: 'Write `postgres://user@host:5432/database`, and the password into the environment.',
  },
  'nodes-postgres OUTCOME_UNKNOWN': {
    cause:
      'The connection broke, or fell silent, between a commit and its answer, so the write may or may not have happened.',
    cure: 'Read the node, then append again. An append with `expects` or an idempotency key happens only once.',
  },
  'nodes-postgres STATEMENT_TIMEOUT': {
    cause: 'The server gave up a statement that took longer than `statementTimeoutMs`.',
    cure: 'Try again when the server is less busy; nothing was written.',
  },
  'routing INVALID_SLUG': { cure: 'Use lower-case letters, digits and hyphens.' },
  'routing INVALID_PLAN': { cure: 'Correct the plan file at the line it names.' },
  'routing INVALID_FILE_NAME': { cure: 'Use one of the names of state files; the message lists them.' },
  'routing OUTSIDE_CHECKOUT': {
    cause: 'A state file of this checkout is behind a symbolic link.',
    cure: 'Replace the links with a directory and plain files, or keep state files in the store. Nothing was read or written.',
  },
  'routing ACTIVE_PLAN': {
    cure: '`agentm project plans` names the active plan; close it first, or name the one you mean.',
  },
  'routing UNREADABLE_FILE': { cure: 'Correct its permissions or its content. It was not changed.' },
  'routing REGISTRY_CORRUPT': { cure: 'Correct the file it names, or restore it from a backup. Nothing was written.' },
  'routing SLUG_BOUND': { cure: 'Choose another slug, or unbind the other repository.' },
  'selection CONFIG_VALUE': { cure: '`agentm config set KEY VALUE` with a value it names.' },
  'selection JSON_SYNTAX': { cure: 'Correct the file at the line and column it names.' },
  'selection STORAGE_SELECTION': {
    cause: 'The configured storage cannot be used, and agentm never silently uses another one; `reason` says why.',
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
  'storage-seam NOT_A_FILE': { cure: 'Choose another key, or move away the file or directory at this place.' },
  'storage-seam CORRUPT_TEXT': { cure: 'Repair the file, or move it away. It was not changed.' },
  'storage-seam INVALID_TEXT': { cure: 'Call `toWellFormed()` on the text first.' },
  'storage-seam OUTSIDE_STORE': { cure: "Remove the link on the way, or name its target in the backend's allow-list." },
  'storage-seam STORE_MARKER_CORRUPT': {
    cure: 'Restore `_meta/agentm-store.json` from a backup, or write `{"id": "…"}` into it with the `store_id` of your config.',
  },
  'storage-seam STORE_UNAVAILABLE': { cure: 'Mount the drive, start the sync program, or correct the path.' },
  'storage-seam DEVICE_FAULT': {
    cure: 'Do what the message says: free space, correct permissions, or check the disk. `fault` is the error code of the system.',
  },
  'storage-seam ONLINE_ONLY': { cure: 'Make the file available offline in your sync program.' },
  'storage-seam CONCURRENT_MODIFICATION': {
    cure: 'Read again, apply the change to what is there now, write again; or use `update`.',
  },
  'storage-seam UNSUPPORTED_CAPABILITY': { cure: 'Choose another `storage.backend`.' },
  'storage-seam GRANT_REFUSED': { cure: 'Ask the person again; a grant fits one text, one place and a short time.' },
  'viewer PORT_INVALID': { cause: 'The port is not a number from 0 to 65535.', cure: 'Choose another `--port`.' },
  'viewer PORT_IN_USE': {
    cause: 'Another program listens on this port, perhaps another `agentm view`.',
    cure: 'Choose another `--port`, or none: then a free one is taken.',
  },
  'viewer ABSENT_NODE': { cure: 'Check the address. The list of the room shows what there is.' },
  'viewer PAGE_ABSENT': {
    cause: 'The files of the page are not installed.',
    cure: 'Install `@agentm/viewer` again; in the repository, run `npm run build`.',
  },
  'transcripts CURSOR_REFUSED': {
    cure: 'Read the session without a cursor; its records come again from the first one.',
  },
  'transcripts SESSION_ABSENT': {
    cure: 'Nothing, if the session was deleted; forget its cursor. Otherwise correct the data directory of the host.',
  },
  'transcripts SESSION_UNREADABLE': {
    cure: 'Correct the permissions of the file. A damaged database is for its host to repair.',
  },
  'transcripts SQLITE_ABSENT': { cure: 'Use Node 22.13 or newer, or pass `openDatabase`.' },
  'vault-lock INVALID_PATH': { cure: 'Pass an absolute path without a zero byte.' },
  'vault-lock LOCK_TIMEOUT': { cure: 'Try again, or wait longer with `timeoutMs`; `agentm doctor` names the lock.' },
  'vault-lock LOCK_LOST': { cure: 'Read again and start over.' },
  'vault-lock LOCK_BLOCKED': {
    cure: 'Check the directory it names: it cannot be created, or there is a file in its place.',
  },
  'vault-lock LOCK_ELSEWHERE': {
    cure: 'Give this process access to the lock in the message, or wait until the other writers are done. `agentm doctor` compares both locks.',
  },
  'vault-lock NOT_REPLACEABLE': { cure: 'Resolve the link and write to its target, or choose another name.' },
  'workspace SERVER_RESTORE': {
    cure: 'Restore a backup of the server itself, or update the package that opens the log.',
  },
  'workspace CONSOLIDATION_CONFIG': {
    cause: 'The config names a time zone that this system does not know.',
    cure: 'Set `consolidation.timeZone` to one it knows, such as `UTC`.',
  },
  'workspace EMBEDDER_CONFIG': { cure: 'Correct `embedder.*` in the configuration.' },
  'workspace RERANKER_CONFIG': { cure: 'Correct `reranker.*` in the configuration.' },
  'workspace HARNESS_CONFIG': {
    cure: 'Correct `harness.*` or `tools.*` in your own config; no other config can allow what a worker may do.',
  },
  'workspace LOG_BEHIND': {
    cure: 'Run `agentm log migrate`, or any command that writes. Older versions of agentm can then no longer open the log, so update them first.',
  },
  'workspace LOG_PLUGIN': {
    cure: 'Install the package that opens the log beside agentm, or correct `nodes.url` and `nodes.plugins`; the message names the package and what is wrong.',
  },
  'workspace MODEL_CONFIG': {
    cure: 'Set `models.url` and `models.model` in your own config, and the variable that `models.keyVariable` names to the key.',
  },
  'workspace MODEL_UNPRICED': {
    cure: 'Set `models.prices` for the model as printed, in dollars per million tokens, or remove the cost limit.',
  },
  'workspace NODES_PACKAGE_ABSENT': { cure: 'Install `@agentm/nodes-postgres` beside agentm, or unset `nodes.url`.' },
}
