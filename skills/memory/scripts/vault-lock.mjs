// @agentm/vault-lock in one file, made from packages/vault-lock by `npm run vendor`. Change it there, never here.
import { close, closeSync, constants, fchmod, fstatSync, fsync, futimes, futimesSync, linkSync, lstat, lstatSync, mkdirSync, open, openSync, read, readFileSync, readSync, readdirSync, readlinkSync, realpathSync, renameSync, rmdirSync, statSync, statfs, statfsSync, unlinkSync, utimesSync, watch, write, writeSync } from "node:fs";
import path, { basename, dirname, isAbsolute, join, normalize, parse, resolve, sep } from "node:path";
import { createHash, randomUUID } from "node:crypto";
import { access, link, lstat as lstat$1, mkdir, readFile, readdir, readlink, realpath, rename, rmdir, stat, unlink, utimes } from "node:fs/promises";
import { promisify } from "node:util";
import { homedir, hostname, userInfo } from "node:os";
import { setImmediate as setImmediate$1 } from "node:timers/promises";
import { isUtf8 } from "node:buffer";
// packages/storage-seam/src/errors.ts
/**
* The errors of a backend. Callers compare `code`: two copies of this package in one process have two sets of classes, but only one set of
* codes.
*/
const seamErrorCodes = [
	"INVALID_LOCATOR",
	"PROTOCOL",
	"TIER_LAYOUT",
	"NOT_FOUND",
	"NOT_A_FILE",
	"CORRUPT_TEXT",
	"INVALID_TEXT",
	"OUTSIDE_STORE",
	"STORE_UNAVAILABLE",
	"STORE_MARKER_CORRUPT",
	"DEVICE_FAULT",
	"ONLINE_ONLY",
	"CONCURRENT_MODIFICATION",
	"UNSUPPORTED_CAPABILITY",
	"GRANT_REFUSED"
];
/** The base class of all errors of a backend. Compare `code`: a process may hold two copies of a class. */
var SeamError = class extends Error {};
/**
* True for an error of this package, also if another copy of the package threw it.
*
* @example
* ```ts
* import { InMemoryBackend } from '@agentm/conformance'
* import { isSeamError, Locator } from '@agentm/storage-seam'
*
* await new InMemoryBackend().read(new Locator('absent.md')).catch((error: unknown) => {
*   if (isSeamError(error)) console.log(error.code) // NOT_FOUND
* })
* ```
*/
function isSeamError(error, code) {
	if (!(error instanceof Error) || !("code" in error)) return false;
	return code === void 0 ? seamErrorCodes.includes(error.code) : error.code === code;
}
/** The key is not allowed: it would lead out of the store, or mean different places on different systems. */
var InvalidLocatorError = class extends SeamError {
	name = "InvalidLocatorError";
	code = "INVALID_LOCATOR";
	key;
	constructor(key, why) {
		super(`${JSON.stringify(key)} cannot be used as a key: ${why}`);
		this.key = key;
	}
};
/** Nothing is stored at this place. Unreadable and unavailable have their own codes. */
var NotFoundError = class extends SeamError {
	name = "NotFoundError";
	code = "NOT_FOUND";
	key;
	constructor(at, options) {
		super(`nothing is stored at ${place(at)}`, options);
		this.key = at.key;
	}
};
/** There is a directory where a text file was expected, or a file where a directory was expected. */
var NotAFileError = class extends SeamError {
	name = "NotAFileError";
	code = "NOT_A_FILE";
	key;
	constructor(at, what, options) {
		super(`${place(at)} is ${what}`, options);
		this.key = at.key;
	}
};
/** The file is not UTF-8 text. It was not changed, because writing it back as text would destroy it. */
var CorruptTextError = class extends SeamError {
	name = "CorruptTextError";
	code = "CORRUPT_TEXT";
	key;
	constructor(at, options) {
		super(`${place(at)} is not UTF-8 text. It was not changed. Repair it, or move it away.`, options);
		this.key = at.key;
	}
};
/** The marker file of the store contains no id: it is truncated, or another program wrote it. */
var CorruptStoreMarkerError = class extends SeamError {
	name = "CorruptStoreMarkerError";
	code = "STORE_MARKER_CORRUPT";
	/** The key of the marker, or its path if the key is not known. */
	key;
	constructor(key, options) {
		super(`${key} is corrupt: it should be JSON with the "id" of the store. Restore it from a backup, or write {"id": "…"} into it with the store_id of your config. Nothing was read or changed.`, options);
		this.key = key;
	}
};
/** The text contains half a surrogate pair, which UTF-8 cannot express. Storing it would change it silently. */
var InvalidTextError = class extends SeamError {
	name = "InvalidTextError";
	code = "INVALID_TEXT";
	constructor(what) {
		super(`${what} contains half a surrogate pair, which UTF-8 cannot store. Replace it first (String.prototype.toWellFormed).`);
	}
};
/** A symbolic link on the way to the file leads out of the store, or to another place in it. */
var OutsideStoreError = class extends SeamError {
	name = "OutsideStoreError";
	code = "OUTSIDE_STORE";
	key;
	constructor(at, { why = leadsOut, ...options } = {}) {
		super(`${place(at)} ${why}`, options);
		this.key = at.key;
	}
};
const leadsOut = "leads out of the store. Remove the link on the way, or name its target in the backend's allow-list.";
/** The store is absent, not mounted, or another one. This is never reported as an empty store. */
var StoreUnavailableError = class extends SeamError {
	name = "StoreUnavailableError";
	code = "STORE_UNAVAILABLE";
};
/** The device failed: the disk is full or broken, or a permission is absent. Stored files are undamaged, with their old or new content. */
var DeviceFaultError = class extends SeamError {
	name = "DeviceFaultError";
	code = "DEVICE_FAULT";
	key;
	/** The error code of the operating system, such as `ENOSPC`. */
	fault;
	constructor(at, fault, options) {
		super(`${place(at)} was not reached: ${faults[fault] ?? `the system answered ${fault}. Try again`}.`, options);
		this.key = at.key;
		this.fault = fault;
	}
};
const faults = {
	ENOSPC: "the disk is full (ENOSPC). Free some space, then try again",
	EDQUOT: "your share of the disk is used up (EDQUOT). Free some space, then try again",
	EROFS: "the disk is mounted read-only (EROFS). Mount it for writing, then try again",
	EACCES: "this user has no permission (EACCES). Correct the permissions of the file and its directories",
	EPERM: "the system does not permit it (EPERM). Correct the permissions of the file and its directories",
	EMFILE: "this process has too many files open (EMFILE). Try again, or raise its limit (ulimit -n)",
	ENFILE: "this machine has too many files open (ENFILE). Try again later",
	EIO: "the disk reports an error (EIO). Check the disk before you write to it again"
};
/** The sync program has only a placeholder on this device; the content is in the cloud. */
var OnlineOnlyError = class extends SeamError {
	name = "OnlineOnlyError";
	code = "ONLINE_ONLY";
	key;
	constructor(at, options) {
		super(`${place(at)} is stored online only. Make it available offline in your sync program, then try again.`, options);
		this.key = at.key;
	}
};
/** Another process changed the file after it was read. */
var ConcurrentModificationError = class extends SeamError {
	name = "ConcurrentModificationError";
	code = "CONCURRENT_MODIFICATION";
	key;
	expected;
	actual;
	constructor(at, expected, actual, options) {
		super(`${place(at)} changed since it was read (expected ${short(expected)}, found ${short(actual)}). Read it again, and apply the change again.`, options);
		this.key = at.key;
		this.expected = expected;
		this.actual = actual;
	}
};
/** The backend does not have the capability that this call needs. */
var UnsupportedCapabilityError = class extends SeamError {
	name = "UnsupportedCapabilityError";
	code = "UNSUPPORTED_CAPABILITY";
	capability;
	constructor(capability) {
		super(`this needs a backend with the capability ${capability}, which the configured backend does not have. Choose another: agentm config set storage.backend NAME`);
		this.capability = capability;
	}
};
function place(at) {
	return at.key === "" ? "the root of the store" : JSON.stringify(at.key);
}
function short(hash) {
	return hash === null ? "nothing" : hash.slice(0, 12);
}
// packages/storage-seam/src/capabilities.ts
/**
* What a backend promises. Every capability is false until the backend declares it. The first four describe how the backend behaves with
* sync programs and several writers. The others name optional verbs, which throw if they are not declared.
*/
/**
* Throws `UnsupportedCapabilityError`, with the name of the capability, if the backend does not declare it. Call it before anything is
* changed.
*
* @example
* ```ts
* import { Capabilities, requireCapability } from '@agentm/storage-seam'
*
* try {
*   requireCapability({ capabilities: new Capabilities() }, 'removal')
* } catch (error) {
*   if (error instanceof Error && 'code' in error) console.log(error.code) // UNSUPPORTED_CAPABILITY
* }
* ```
*/
function requireCapability(backend, name) {
	if (!backend.capabilities[name]) throw new UnsupportedCapabilityError(name);
}
// packages/storage-seam/src/content-hash.ts
/** The hash by which conditional writes compare texts: SHA-256 of the UTF-8 bytes, in hexadecimal. */
/**
* SHA-256 of the UTF-8 bytes, in hexadecimal. Conditional writes compare texts by this hash.
*
* @example
* ```ts
* import { contentHash } from '@agentm/storage-seam'
*
* console.log(contentHash('one').slice(0, 8)) // 7692c3ad
* ```
*/
function contentHash(content) {
	if (typeof content === "string" && !content.isWellFormed()) throw new InvalidTextError("the text to hash");
	return createHash("sha256").update(content).digest("hex");
}
// packages/storage-seam/src/normalize-key.ts
/**
* Gives each place one spelling. A key is relative to the backend's root and cannot name anything outside it: empty and `.` segments are
* removed. `..` is refused, and so is any character that another system would read as a separator or cannot store.
*/
const plain = /^[\w-][\w. -]*(?:\/[\w-][\w. -]*)*$/;
/**
* Returns the normalised key, without empty and `.` segments. Throws for `..` and for names that another system cannot store.
*
* @example
* ```ts
* import { normalizeKey } from '@agentm/storage-seam'
*
* console.log(normalizeKey('notes//./monday.md')) // notes/monday.md
* ```
*/
function normalizeKey(key) {
	if (typeof key === "string" && plain.test(key)) return key;
	if (typeof key !== "string") throw new InvalidLocatorError(String(key), "a key is text");
	if (key.includes("\\")) throw new InvalidLocatorError(key, "a backslash separates directories on Windows");
	if (key.includes("\0")) throw new InvalidLocatorError(key, "it holds a NUL character");
	if (!key.isWellFormed()) throw new InvalidLocatorError(key, "it holds half a surrogate pair");
	const segments = key.split("/").filter((segment) => segment !== "" && segment !== ".");
	if (segments.includes("..")) throw new InvalidLocatorError(key, "\"..\" would climb out of its place");
	return segments.join("/");
}
// packages/storage-seam/src/locator.ts
/**
* A place in the namespace of a backend. It is not a path and does no I/O. Every constructor normalises the key, so two locators of one
* place have the same key. Use `key` in a Map or a Set, because these compare locators by identity.
*/
const brand = Symbol.for("@agentm/storage-seam/locator");
/**
* A place in a backend, as a normalised key. It is never a file path. Use `key` in a Map or a Set.
*
* @example
* ```ts
* import { Locator } from '@agentm/storage-seam'
*
* const note = new Locator('notes//./monday.md')
* console.log(note.key, note.name, note.parent.key) // notes/monday.md monday.md notes
* console.log(note.parent.child('tuesday.md').key) // notes/tuesday.md
* ```
*/
var Locator = class Locator {
	key;
	static {
		Object.defineProperty(Locator.prototype, brand, { value: true });
	}
	constructor(key) {
		this.key = normalizeKey(key);
		Object.freeze(this);
	}
	/** The segments of the key; an empty list at the root. */
	get parts() {
		return this.key === "" ? [] : this.key.split("/");
	}
	/** The last segment; `''` at the root. */
	get name() {
		return this.key.slice(this.key.lastIndexOf("/") + 1);
	}
	/** The place that contains this one. The parent of the root is the root itself. */
	get parent() {
		return new Locator(this.parts.slice(0, -1).join("/"));
	}
	/** The place below this one, with the key parts `parts` appended. */
	child(...parts) {
		if (parts.length === 1) return new Locator(`${this.key}/${normalizeKey(parts[0] ?? "")}`);
		return new Locator([this.key, ...parts.map(normalizeKey)].join("/"));
	}
	equals(other) {
		return isLocator(other) && other.key === this.key;
	}
	/** Whether `other` is this place or is below it. */
	contains(other) {
		return this.key === "" || other.key === this.key || other.key.startsWith(`${this.key}/`);
	}
	toString() {
		return this.key;
	}
	toJSON() {
		return this.key;
	}
};
/**
* Checks the brand and not the class, because a plugin may load its own copy of this package.
*
* @example
* ```ts
* import { isLocator, Locator } from '@agentm/storage-seam'
*
* console.log(isLocator(new Locator('notes')), isLocator('notes')) // true false
* ```
*/
function isLocator(value) {
	return typeof value === "object" && value !== null && value[brand] === true;
}
/**
* Checks that an argument from an unknown caller is a locator. A backend calls this first.
*
* @example
* ```ts
* import { asLocator } from '@agentm/storage-seam'
*
* asLocator('notes/monday.md') // throws: a text is no locator
* ```
*/
function asLocator(value) {
	if (!isLocator(value)) throw new InvalidLocatorError(String(value), "a locator was wanted; make one with resolve()");
	return value instanceof Locator ? value : new Locator(value.key);
}
// packages/storage-seam/src/storage-backend.ts
/**
* The contract of a storage backend for text. Seven verbs are required. The verbs below them are optional, and throw with the name of the
* capability if a backend does not declare it. Text is stored and returned byte for byte: line ends and byte order marks are kept. Callers
* never see paths; they use locators.
*/
/** How often the default `update` retries before it reports that other writers were faster each time. */
const updateRounds$1 = 64;
/** How many children the default `listInfo` queries at the same time. */
const askedAtOnce$1 = 32;
/**
* The base class of every backend. Extend it and implement the abstract verbs. The optional verbs throw until you declare their capability
* and override them. `update` works as soon as `write` checks `ifHash`.
*
* @example
* ```ts
* import { InMemoryBackend } from '@agentm/conformance'
*
* const backend = new InMemoryBackend()
* const note = backend.resolve('notes', 'monday.md')
* await backend.write(note, 'Lock, then write.')
* await backend.update(note, (text) => `${text} Then hash.`)
* console.log(await backend.read(note)) // Lock, then write. Then hash.
* console.log(await backend.exists(note), (await backend.info(note)).size) // true 28
* await backend.mkdir(backend.resolve('drafts'))
* for (const { key } of await backend.list(backend.resolve())) console.log(key) // drafts
* // notes
* await backend.remove(note)
* console.log(await backend.exists(note)) // false
* ```
*/
var StorageBackend = class {
	/** What happens when two devices change one file: `none` (no copies), or `whole-file` conflict copies. */
	get conflictStrategy() {
		return "none";
	}
	/** Rebuilds the data derived from the stored text; absent if the backend derives nothing. */
	get derivedMaintenance() {}
	/** The locator of these key parts. Without parts, the root. */
	resolve(...parts) {
		return new Locator("").child(...parts);
	}
	/**
	* The children that `list` returns, each with the result of `info`. A child that is removed meanwhile is left out. The result is the same
	* on every backend; some backends read a whole directory faster than its entries one by one. `enough` is called now and then: when it
	* returns true, the children found so far are returned.
	*/
	async listInfo(at, { enough = () => false } = {}) {
		const children = await this.list(at);
		const found = [];
		for (let i = 0; i < children.length && !enough(); i += askedAtOnce$1) found.push(...await Promise.all(children.slice(i, i + askedAtOnce$1).map((child) => infoIfPresent(this, child))));
		return { children: found.filter((child) => child !== void 0) };
	}
	/**
	* Reads, changes and writes as one step. `change` must not have side effects, because it may be called several times. Returns the
	* resulting text. Needs the capability `conditionalWrite`.
	*/
	async update(at, change) {
		requireCapability(this, "conditionalWrite");
		for (let round = 1;; round++) {
			const current = await readIfPresent(this, at);
			const next = change(current);
			if (next === void 0 || next === current) return current;
			try {
				await this.write(at, next, { ifHash: current === void 0 ? null : contentHash(current) });
				return next;
			} catch (error) {
				if (!isSeamError(error, "CONCURRENT_MODIFICATION") || round === updateRounds$1) throw error;
			}
		}
	}
	/**
	* Removes the file; with `ifHash`, only if its text has this hash. Throws `NotFoundError` if there is none. Needs the capability
	* `removal`.
	*/
	async remove(_at, _options) {
		requireCapability(this, "removal");
		throw new TypeError(`${this.constructor.name} declares removal but does not implement remove()`);
	}
	/** Writes outside the store, into the person's own notes, with a grant for exactly this text. Needs the capability `personalWrite`. */
	async personalWrite(_at, _text, _grant) {
		requireCapability(this, "personalWrite");
		throw new TypeError(`${this.constructor.name} declares personalWrite but does not implement personalWrite()`);
	}
};
/**
* Throws unless the current text is the one that the caller saw. For backends that check the condition themselves.
*
* @example
* ```ts
* import { checkUnchanged, contentHash, Locator } from '@agentm/storage-seam'
*
* checkUnchanged(new Locator('a.md'), 'one', contentHash('one')) // passes
* checkUnchanged(new Locator('a.md'), undefined, null) // passes: nothing is there
* ```
*/
function checkUnchanged(at, current, ifHash) {
	if (ifHash === void 0) return;
	const actual = current === void 0 ? null : contentHash(current);
	if (actual !== ifHash) throw new ConcurrentModificationError(at, ifHash, actual);
}
async function readIfPresent(backend, at) {
	try {
		return await backend.read(at);
	} catch (error) {
		if (isSeamError(error, "NOT_FOUND")) return void 0;
		throw error;
	}
}
async function infoIfPresent(backend, at) {
	try {
		return await backend.info(at);
	} catch (error) {
		if (isSeamError(error, "NOT_FOUND")) return void 0;
		if (isSeamError(error)) return {
			locator: at,
			refusal: error
		};
		throw error;
	}
}
// packages/storage-seam/src/store-marker.ts
/**
* The file in every store that contains its id. It distinguishes a store from an empty directory, and one store from another. Every reader
* uses this function, so that a broken marker causes the same error everywhere.
*/
/** The key of the file that contains a store's id. It is the same in every store. */
const storeMarkerKey = "_meta/agentm-store.json";
/**
* The id in a marker's text. Throws `CorruptStoreMarkerError` if the text contains no id.
*
* @example
* ```ts
* import { parseStoreMarker } from '@agentm/storage-seam'
*
* console.log(parseStoreMarker('{ "id": "s1" }')) // s1
* ```
*/
function parseStoreMarker(text) {
	try {
		const marker = JSON.parse(text);
		if (typeof marker === "object" && marker !== null && "id" in marker && isId(marker.id)) return marker.id;
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
	}
	throw new CorruptStoreMarkerError(storeMarkerKey);
}
function isId(value) {
	return typeof value === "string" && value !== "";
}
// packages/vault-lock/src/both.ts
/** Waits for both, also if one fails, so that no clean-up starts while the other still runs. */
async function both(a, b) {
	const [first, second] = await Promise.allSettled([a, b]);
	if (first.status === "rejected") throw first.reason;
	if (second.status === "rejected") throw second.reason;
	return [first.value, second.value];
}
// packages/vault-lock/src/ask-last.ts
/**
* The last checks before a change that cannot be undone. All run at the same time, so that no result gets old while another check runs. If
* the process was suspended meanwhile, the checks run again, because another process may have the lock by now.
*/
async function askLast(hold, confirm) {
	for (;;) {
		await both(hold?.check() ?? Promise.resolve(), confirm?.());
		if (hold?.late !== true) return;
	}
}
// packages/vault-lock/src/errno.ts
/** Whether the operating system reported one of these error codes. */
function isErrno(error, ...codes) {
	return error instanceof Error && "code" in error && codes.includes(error.code);
}
/** The error code of the operating system; `undefined` for any other error. */
function errnoOf(error) {
	const code = error instanceof Error && "code" in error ? error.code : void 0;
	return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : void 0;
}
// packages/vault-lock/src/errors.ts
/** The errors of the lock and the writer. Compare `code`: a process may contain two copies of this package, and so two sets of classes. */
var InvalidPathError = class extends Error {
	name = "InvalidPathError";
	code = "INVALID_PATH";
	text;
	constructor(text, why) {
		super(`${JSON.stringify(text)} is not a file path: ${why}.`);
		this.text = text;
	}
};
/** Another process held the lock for longer than this call waits. */
var LockTimeoutError = class extends Error {
	name = "LockTimeoutError";
	code = "LOCK_TIMEOUT";
	lockDirectory;
	timeoutMs;
	/** Time since the holder's last heartbeat; absent if this process is the holder. */
	ageMs;
	constructor(lockDirectory, timeoutMs, staleMs, ageMs) {
		super(`${lockDirectory} was not free within ${timeoutMs} ms (${holder(staleMs, ageMs)}). Try again, or wait longer with timeoutMs.`);
		this.lockDirectory = lockDirectory;
		this.timeoutMs = timeoutMs;
		this.ageMs = ageMs;
	}
};
/** The lock was lost: this process was suspended for too long, and another one took over. Nothing was written after that. */
var LockLostError = class extends Error {
	name = "LockLostError";
	code = "LOCK_LOST";
	lockDirectory;
	/** True if the lock is still held, but all writers now share another one. A caller that starts over takes that one too. */
	isMoved;
	/** True if it is unknown whether the change was made. */
	isInDoubt;
	constructor(lockDirectory, why = "another process took it over while this one stood still", { isMoved = false, isInDoubt = false } = {}) {
		super(`the lock ${lockDirectory} was lost: ${why}. Nothing more was written. Read again and start over.`);
		this.lockDirectory = lockDirectory;
		this.isMoved = isMoved;
		this.isInDoubt = isInDoubt;
	}
};
/** The lock cannot be created, or something else is in its place. Waiting would not help. */
var LockBlockedError = class extends Error {
	name = "LockBlockedError";
	code = "LOCK_BLOCKED";
	lockDirectory;
	constructor(lockDirectory, message, options) {
		super(message, options);
		this.lockDirectory = lockDirectory;
	}
};
/** Other writers on this machine use a lock that this process cannot take. */
var LockElsewhereError = class extends Error {
	name = "LockElsewhereError";
	code = "LOCK_ELSEWHERE";
	/** The lock of this process. */
	lockDirectory;
	recorded;
	constructor(lockDirectory, { root, recorded, by, why, unusedMs, leaseMs, file }) {
		const lease = leaseMs / 1e3;
		const used = `last used ${Math.round(unusedMs / 1e3)} s ago`;
		super(recorded === "" ? `${file} should say where the writers of ${root} lock it, but ${why} (${used}). Nothing was written. Try again when it is older than ${lease} s; the next writer then replaces it.` : `other writers of ${root} on this machine lock it at ${recorded} (${by}, ${used}, says ${file}), and this process cannot take that lock: ${why}. Nothing was written, because one writer would overwrite the other. Let this process reach that place: mount ${placeOf$2(recorded)} at the same path in a container, or let this user write there. Or try again when no other writer has been active for ${lease} s.`);
		this.lockDirectory = lockDirectory;
		this.recorded = recorded;
	}
};
/** The target of a write is not a plain file. */
var NotReplaceableError = class extends Error {
	name = "NotReplaceableError";
	code = "NOT_REPLACEABLE";
	target;
	what;
	constructor(target, what) {
		super(`${target} is ${what} and was not changed. ${what === "a symbolic link" ? "Write to the file it points to, or remove the link." : "Write to another name, or move it away."}`);
		this.target = target;
		this.what = what;
	}
};
function placeOf$2(lockDirectory) {
	return lockDirectory.replace(/[\\/]lock$/, "");
}
function holder(staleMs, ageMs) {
	if (ageMs === void 0) return "this process holds it; inside the work that holds it, pass its hold as `within`";
	const seconds = (Math.abs(ageMs) / 1e3).toFixed(2);
	if (ageMs < 0) return `its holder's last heartbeat lies ${seconds} s in the future; the clock was set back`;
	return `its holder's last heartbeat was ${seconds} s ago, dead after ${staleMs / 1e3} s`;
}
// packages/vault-lock/src/descriptor-paths.ts
/**
* Linux shows each open file of a process under /proc, as a link to that very file, even after its name was given to another file. Reading
* the link tells where the file is stored. A path below the link names a file in that directory.
*/
/** O_PATH, which Node does not export: opens a file only to refer to it. It needs no permission to read, and does nothing to the file. */
const nameOnly = 2097152;
const removed = " (deleted)";
let home;
/** The directory of these links; `undefined` if there is none, or if this runtime's file descriptors are not those of the system. */
function descriptorHome() {
	home ??= process.platform === "linux" && found();
	return home === false ? void 0 : home;
}
function found() {
	try {
		const own = `/proc/${readlinkSync("/proc/self")}/fd`;
		return ["/", "/proc"].every((path) => leadsTo(own, path)) && own;
	} catch {
		return false;
	}
}
function leadsTo(own, path) {
	const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
	try {
		return readlinkSync(`${own}/${descriptor}`) === path;
	} finally {
		closeSync(descriptor);
	}
}
/** The path of an open file. If the file was removed or replaced since, its former path. */
function pathOf(descriptor, own) {
	const path = readlinkSync(`${own}/${descriptor}`);
	if (!path.endsWith(removed)) return path;
	const there = lstatSync(path, {
		bigint: true,
		throwIfNoEntry: false
	});
	const { dev, ino } = fstatSync(descriptor, { bigint: true });
	return there?.dev === dev && there.ino === ino ? path : path.slice(0, -10);
}
// packages/vault-lock/src/lstat-all.ts
/**
* The file status of many names, without following links. A fast disk is asked synchronously, because handing each call to a thread costs
* more than the call. A slow disk is asked by threads, many calls at a time, so that the process is not blocked.
*/
/** Number of synchronous calls between two looks at the clock. */
const group = 16;
/** If a group takes longer than this, the disk is slow or on a network. */
const atOnceMs$1 = 2;
const askedAtOnce = 64;
const ask$1 = promisify(lstat);
/** The results in the order of the paths; `undefined` for a name that does not exist. */
async function lstatAll(paths, monotonic = () => performance.now()) {
	const found = [];
	let isQuick = true;
	while (isQuick && found.length < paths.length) {
		const since = monotonic();
		for (const path of paths.slice(found.length, found.length + group)) found.push(lstatDirectly(path));
		isQuick = monotonic() - since <= atOnceMs$1;
	}
	if (found.length < paths.length) await lstatByThreads(paths, found);
	return found;
}
function lstatDirectly(path) {
	try {
		return lstatSync(path, {
			bigint: true,
			throwIfNoEntry: false
		});
	} catch (error) {
		return absent(error);
	}
}
/** Continues after the results that were already found. */
async function lstatByThreads(paths, found) {
	let next = found.length;
	const worker = async () => {
		for (let i = next++; i < paths.length; i = next++) found[i] = await ask$1(paths[i] ?? "", { bigint: true }).catch(absent);
	};
	await Promise.all(Array.from({ length: askedAtOnce }, worker));
}
function absent(error) {
	if (!isErrno(error, "ENOENT", "ENOTDIR", "ELOOP")) throw error;
}
// packages/vault-lock/src/sync-directories.ts
/** A new file name is durable only after the directory that contains it was synced. */
/** Syncs `directory` and the directories above it that were created for it, up to the parent of the first created one. */
async function syncDirectories(directory, made, fs) {
	for (let at = directory;; at = dirname(at)) {
		await syncDirectory(at, fs);
		if (made === void 0 || at.length < made.length || at === dirname(at)) return;
	}
}
async function syncDirectory(directory, fs) {
	if (fs.platform === "win32") return;
	const open = await fs.open(directory, "r");
	try {
		await syncOpen(open);
	} finally {
		await open.close();
	}
}
async function syncOpen(directory) {
	try {
		await directory.sync();
	} catch (error) {
		if (!isErrno(error, "EINVAL", "ENOTSUP", "ENOSYS")) throw error;
	}
}
// packages/vault-lock/src/open-directory.ts
async function openDirectory(path, fs, options = {}) {
	return fs.openDirectory === void 0 ? openByName(path, fs, options) : fs.openDirectory(path, options);
}
/** Where a path leads and the file status there. Throws `ENOENT` if nothing exists there. */
async function locate(path, fs) {
	if (fs.locate !== void 0) return fs.locate(path);
	const real = await fs.realpath(path);
	const stats = await fs.lstat(real);
	if (stats.isSymbolicLink()) throw failure("ENOENT", path);
	return {
		path: real,
		stats
	};
}
/** The real path of a file that was opened by this path; `undefined` if the path now leads to another file. */
async function whereIs(file, path, fs) {
	if (file.where !== void 0) return await file.where();
	try {
		const [real, stats] = [await fs.realpath(path), await file.stat()];
		const there = await fs.lstat(real);
		return there.dev === stats.dev && there.ino === stats.ino ? real : void 0;
	} catch (error) {
		if (isErrno(error, "ENOENT", "ENOTDIR", "ELOOP")) return void 0;
		throw error;
	}
}
async function openByName(path, fs, { followLink = true }) {
	if (!followLink && (await fs.lstat(path)).isSymbolicLink()) throw failure("ELOOP", path);
	const real = await fs.realpath(path);
	if (!(await fs.lstat(real)).isDirectory()) throw failure("ENOTDIR", path);
	return namedDirectory(real, fs.platform === "win32" ? void 0 : await fs.open(real, "r"));
}
function namedDirectory(path, file) {
	return {
		path,
		self: path,
		at: (name) => join(path, name),
		...openWhileSynced(async () => file === void 0 ? void 0 : syncOpen(file), async () => file?.close())
	};
}
/**
* If `close` is called during a sync, the directory is closed after the sync, because otherwise its descriptor number could be given to
* another file.
*/
function openWhileSynced(sync, close) {
	let syncing;
	return {
		async sync() {
			syncing = sync().finally(() => syncing = void 0);
			return syncing;
		},
		async close() {
			if (syncing === void 0) return close();
			syncing.then(close, close).catch(() => {});
		}
	};
}
/** The same directory, with its entries named by their paths, so that an error message shows where it happened. */
function byPath(directory) {
	return {
		...directory,
		self: directory.path,
		at: (name) => join(directory.path, name)
	};
}
function failure(code, path) {
	return Object.assign(/* @__PURE__ */ new Error(`${code}: '${path}'`), { code });
}
// packages/vault-lock/src/quick-disk.ts
/**
* Decides whether a file operation is called synchronously. On a local disk, handing the call to a thread costs several times more than the
* call. On any other disk the call may take long and would block the process.
*/
/** ext, btrfs, xfs, tmpfs, f2fs, zfs. These numbers have this meaning only on Linux. */
const localDisks = /* @__PURE__ */ new Set([
	61267,
	2435016766,
	1481003842,
	16914836,
	4076150800,
	801189825
]);
/**
* The overlay file system of containers over such a disk. It reports no events for changes in its lower layer, but no other machine writes
* to it.
*/
const overlay = 2035054128;
const ask = promisify(statfs);
async function isLocal(directory) {
	if (process.platform !== "linux") return false;
	return ask(directory).then(({ type }) => localDisks.has(type), () => false);
}
const believedMs$2 = 1e4;
const mostKnown = 1024;
/** After this many synchronous calls in a row, one call goes to a thread, so that the event loop can run other work. */
const inARow = 128;
/** A call that takes longer counts as slow: the disk is slow, or another process had the processor. */
const atOnceMs = 5;
/**
* The longest total wait for slow calls within `spanMs`. Some are tolerated, because a busy machine interrupts this process now and then.
*/
const toleratedMs = 25;
const spanMs = 1e3;
var QuickDisk = class {
	#known = /* @__PURE__ */ new Map();
	/** Maps the descriptor path of each open directory to its real path. Entries are removed soon, because a descriptor number is reused. */
	#open = /* @__PURE__ */ new Map();
	#monotonic;
	#left = inARow;
	#slowUntil = -Infinity;
	/** Start of the current span. `#waitedMs` is the total wait for slow calls in it. */
	#spanBegan = -Infinity;
	#waitedMs = 0;
	constructor(monotonic = () => performance.now()) {
		this.#monotonic = monotonic;
	}
	/** The result of `directly` if the file's directory is on a fast disk, otherwise of `byThread`. */
	async answer(file, directly, byThread) {
		const since = this.#monotonic();
		if (since < this.#slowUntil || !this.#look(path.dirname(file), since).isLocal) return byThread();
		if (this.#left === 0) {
			this.#left = inARow;
			return byThread();
		}
		this.#left -= 1;
		try {
			return directly();
		} finally {
			const now = this.#monotonic();
			if (now - since > atOnceMs) this.#waited(now - since, now);
		}
	}
	/**
	* For a few short steps that must all run even if the process is ending. Uses `directly` on every local disk, also if it was slow
	* recently.
	*/
	async together(file, directly, byThread) {
		return this.isOurs(path.dirname(file)) ? directly() : byThread();
	}
	/** To be called when an operation was handed to a thread, because the event loop could run other work meanwhile. */
	rested() {
		this.#left = inARow;
	}
	/** Whether this machine alone writes the disk that holds this directory. */
	isOurs(directory) {
		return this.#look(directory, this.#monotonic()).isOurs;
	}
	/** Registers `self` as another path of this directory, until it is forgotten. */
	alias(self, directory) {
		this.#open.set(self, directory);
	}
	forget(self) {
		this.#open.delete(self);
	}
	#waited(ms, now) {
		if (now - this.#spanBegan > spanMs) {
			this.#spanBegan = now;
			this.#waitedMs = 0;
		}
		this.#waitedMs += ms;
		if (this.#waitedMs > toleratedMs) this.#slowUntil = now + believedMs$2;
	}
	#look(named, now) {
		const directory = this.#open.get(named) ?? named;
		const known = this.#known.get(directory);
		if (known !== void 0 && now - known.since < believedMs$2) return known;
		if (this.#known.size >= mostKnown) this.#known.clear();
		const type = typeOf(directory);
		const isQuick = type !== void 0 && localDisks.has(type);
		const found = {
			isLocal: isQuick,
			isOurs: isQuick || type === overlay,
			since: now
		};
		if (type !== void 0) this.#known.set(directory, found);
		return found;
	}
};
function typeOf(directory) {
	if (process.platform !== "linux") return void 0;
	try {
		return statfsSync(directory).type;
	} catch {
		return;
	}
}
// packages/vault-lock/src/file-system.ts
/**
* The system calls that locking and writing use, as an argument, so that a test can make one of them fail or change files in between. All
* access to a store's files goes through it.
*/
const descriptorOf = promisify(open);
const from = promisify(read);
const into = promisify(write);
const toDisk = promisify(fsync);
const permit$1 = promisify(fchmod);
const touch$1 = promisify(futimes);
const release = promisify(close);
const disk = new QuickDisk();
/** Reads and writes of more bytes than this may take long on any disk. */
const littleBytes = 1 << 18;
const writing = constants.O_WRONLY | constants.O_RDWR;
const own = descriptorHome();
/** The real file system, by `node:fs`. */
const nodeFileSystem = {
	platform: process.platform,
	...own === void 0 ? {} : byDescriptor(own),
	async open(path, flags, mode) {
		const reads = flags === "r" || typeof flags === "number" && (flags & writing) === 0;
		const byThread = async () => descriptorOf(path, flags, mode);
		const directly = () => openSync(path, flags, mode);
		const descriptor = typeof flags === "number" && (flags & constants.O_DIRECTORY) !== 0 ? await disk.together(path, directly, byThread) : await disk.answer(path, directly, byThread);
		return {
			read: async (bytes, position) => {
				const later = async () => (await from(descriptor, bytes, 0, bytes.length, position)).bytesRead;
				if (!reads || bytes.length > littleBytes) return later();
				return disk.answer(path, () => readSync(descriptor, bytes, 0, bytes.length, position), later);
			},
			async writeFile(bytes) {
				const later = async () => {
					for (let done = 0; done < bytes.length;) done += (await into(descriptor, bytes, done)).bytesWritten;
				};
				if (bytes.length > littleBytes) return later();
				const atOnce = () => {
					for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
				};
				return disk.answer(path, atOnce, later);
			},
			sync: async () => putOnDisk(descriptor),
			chmod: async (bits) => permit$1(descriptor, bits),
			stat: async () => fstatSync(descriptor, { bigint: true }),
			...own === void 0 ? {} : { where: async () => pathOf(descriptor, own) },
			close: async () => reads ? closeSync(descriptor) : disk.answer(path, () => closeSync(descriptor), async () => release(descriptor)),
			utimes: async (accessed, modified) => disk.together(path, () => futimesSync(descriptor, accessed, modified), () => touch$1(descriptor, accessed, modified))
		};
	},
	rename: async (old, name) => disk.answer(name, () => renameSync(old, name), () => rename(old, name)),
	link: async (file, name) => disk.answer(name, () => linkSync(file, name), () => link(file, name)),
	unlink: async (path) => disk.answer(path, () => unlinkSync(path), () => unlink(path)),
	mkdir: async (path, options) => options?.recursive === true ? makeOrSayWhy(path, options) : disk.together(path, () => mkdirSync(path, options), () => mkdir(path, options)),
	rmdir: async (path) => disk.answer(path, () => rmdirSync(path), () => rmdir(path)),
	stat: async (path) => disk.answer(path, () => statSync(path, { bigint: true }), () => stat(path, { bigint: true })),
	lstat: async (path) => disk.answer(path, () => lstatSync(path, { bigint: true }), () => lstat$1(path, { bigint: true })),
	lstatAll: (paths) => lstatAll(paths),
	readlink: (path) => readlink(path),
	realpath: async (path) => process.platform === "win32" ? realpathOnWindows(path) : realpathOf(path),
	readdir: (path) => readdir(path),
	readdirBytes: (path) => readdir(path, { encoding: "buffer" }),
	readFile: (path) => readFile(path),
	utimes: async (path, accessed, modified) => disk.together(path, () => utimesSync(path, accessed, modified), () => utimes(path, accessed, modified)),
	mayWrite: (directory) => access(directory, constants.W_OK | constants.X_OK).then(() => true, () => false),
	isOurs: async (directory) => disk.isOurs(directory)
};
/** Reads of /proc never wait, so they are synchronous. */
function byDescriptor(home) {
	return {
		async openDirectory(path, { followLink = true } = {}) {
			return directoryOf(await openQuickly(path, constants.O_RDONLY | constants.O_DIRECTORY | (followLink ? 0 : constants.O_NOFOLLOW)), home);
		},
		async locate(path) {
			const descriptor = await openQuickly(path, nameOnly);
			try {
				const stats = fstatSync(descriptor, { bigint: true });
				return {
					path: pathOf(descriptor, home),
					stats
				};
			} finally {
				closeSync(descriptor);
			}
		}
	};
}
async function putOnDisk(descriptor) {
	await toDisk(descriptor);
	disk.rested();
}
async function openQuickly(path, flags) {
	return disk.answer(path, () => openSync(path, flags), () => descriptorOf(path, flags));
}
function directoryOf(descriptor, home) {
	const self = `${home}/${descriptor}`;
	try {
		const path = pathOf(descriptor, home);
		disk.alias(self, path);
		return {
			path,
			self,
			at: (name) => `${self}/${name}`,
			...openWhileSynced(async () => syncOpen({ sync: async () => putOnDisk(descriptor) }), async () => {
				disk.forget(self);
				closeSync(descriptor);
			})
		};
	} catch (error) {
		closeSync(descriptor);
		throw error;
	}
}
async function realpathOf(path) {
	return disk.answer(path, () => realpathSync.native(path), () => realpath(path));
}
/** Windows cannot resolve files on some RAM disks, nor long paths under Wine, but it can resolve the directory above. */
async function realpathOnWindows(path) {
	try {
		return await realpathOf(path);
	} catch (error) {
		if (!isErrno(error, "UNKNOWN", "EISDIR") || dirname(path) === path) throw error;
		if ((await lstat$1(path)).isSymbolicLink()) throw error;
		return join(await realpathOnWindows(dirname(path)), basename(path));
	}
}
/** On a read-only disk a recursive call fails with ENOENT, so the first absent directory is created by itself to get the real error. */
async function makeOrSayWhy(path, options = {}) {
	try {
		return await mkdir(path, options);
	} catch (error) {
		if (options.recursive !== true || !isErrno(error, "ENOENT")) throw error;
		throw await mkdir(await firstAbsent(path)).catch((fault) => fault) ?? error;
	}
}
async function firstAbsent(path) {
	const above = dirname(path);
	if (above === path) return path;
	return await stat(above).then(() => true, () => false) ? path : firstAbsent(above);
}
// packages/vault-lock/src/give-name.ts
/**
* Gives a finished file its name in one step, unless the name is already taken. A rename would replace a file that has just taken the name.
*/
/** The errors of disks without hard links, and of systems that forbid users to make them. */
const noSecondNames = [
	"EPERM",
	"EACCES",
	"ENOTSUP",
	"EOPNOTSUPP",
	"ENOSYS",
	"EMLINK",
	"EINVAL",
	"EISDIR"
];
/** Without hard links the file is renamed, and the caller checks first that the name is free. */
async function giveName(temporary, target, fs) {
	try {
		await fs.link(temporary, target);
	} catch (error) {
		if (!isErrno(error, ...noSecondNames)) throw error;
		return fs.rename(temporary, target);
	}
	await fs.unlink(temporary).catch(() => fs.unlink(temporary)).catch(() => {});
}
// packages/vault-lock/src/is-within.ts
/** Whether a resolved path is this resolved directory, or is below it. */
function isWithin(directory, place) {
	return place === directory || place.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}
// packages/vault-lock/src/on-death.ts
const signals = [
	"SIGINT",
	"SIGTERM",
	"SIGHUP"
];
const idleMs$1 = 1e3;
const slot = Symbol.for("@agentm/vault-lock/on-death/1");
const shared = globalThis;
const watch$1 = shared[slot] ??= {
	undos: /* @__PURE__ */ new Set(),
	pending: /* @__PURE__ */ new Set(),
	listening: false,
	idle: void 0
};
/** Runs `undo` synchronously when the process ends, unless the returned function was called before. */
function onDeath(undo) {
	listen();
	watch$1.undos.add(undo);
	return () => {
		watch$1.undos.delete(undo);
		stopSoon();
	};
}
/** A signal ends the process only after this step, which may call `onDeath` when it has succeeded. */
async function beforeDeath(step) {
	listen();
	watch$1.pending.add(step);
	try {
		return await step;
	} finally {
		watch$1.pending.delete(step);
		stopSoon();
	}
}
function listen() {
	clearTimeout(watch$1.idle);
	watch$1.idle = void 0;
	if (watch$1.listening) return;
	watch$1.listening = true;
	process.on("exit", undoAll);
	for (const signal of signals) process.prependListener(signal, onSignal);
}
/** Stops listening after a delay, because adding listeners costs more than a write and the next write often follows soon. */
function stopSoon() {
	if (watch$1.undos.size + watch$1.pending.size === 0) watch$1.idle ??= setTimeout(stopListening, idleMs$1).unref();
}
function stopListening() {
	watch$1.idle = void 0;
	if (watch$1.undos.size + watch$1.pending.size > 0) return;
	watch$1.listening = false;
	process.off("exit", undoAll);
	for (const signal of signals) process.off(signal, onSignal);
}
function onSignal(signal) {
	process.off(signal, onSignal);
	if (process.listenerCount(signal) > 0) setImmediate(listenAgain, signal);
	else if (watch$1.pending.size === 0) die(signal);
	else Promise.allSettled(watch$1.pending).then(() => die(signal));
}
function listenAgain(signal) {
	if (watch$1.listening && !process.listeners(signal).includes(onSignal)) process.prependListener(signal, onSignal);
}
function die(signal) {
	undoAll();
	process.kill(process.pid, signal);
}
function undoAll() {
	for (const undo of watch$1.undos) try {
		undo();
	} catch {}
}
// packages/vault-lock/src/pure/temporary-name.ts
/**
* Names of files that are still being written. Ours are short whatever the target is called, hidden, and ignored by sync programs. Each
* contains a tag of the lock that its writer held. Only one process writes under a lock, so the holder knows that every other file with
* this tag was left by a dead writer.
*/
const ours = /^\.~agentm-([0-9a-z]{10})-[0-9A-Za-z-]{1,64}\.tmp$/;
const python = /^.+\.\d+\.[0-9a-f]{32}\.tmp$/;
function temporaryName(tag, id) {
	return `.~agentm-${tag}-${id}.tmp`;
}
/**
* True for our temporary names and for those of the Python implementation, `<name>.<pid>.<32 hex>.tmp`. The older Python form `<name>.tmp`
* does not count, because a person may have made such a file.
*
* @example
* ```ts
* import { isTemporaryName } from '@agentm/vault-lock'
*
* console.log(isTemporaryName('note.md')) // false
* ```
*/
function isTemporaryName(name) {
	return name.endsWith(".tmp") && (ours.test(name) || python.test(name));
}
/**
* When a remnant may be deleted: `now` by the holder of the lock it was written under, `old` when it is old enough. A plain `<name>.tmp` is
* never deleted, because a person may have made it.
*/
function remnantKind(name, tags) {
	const match = ours.exec(name);
	if (match !== null) return tags.includes(match[1] ?? "") ? "now" : "old";
	return python.test(name) ? "old" : void 0;
}
/** Whether an entry with this name may be a directory. Only our own names can be: files are removed by way of such directories. */
function mayBeDirectory(name) {
	return ours.test(name);
}
// packages/vault-lock/src/pure/process-name.ts
const pids = 2 ** 22;
const tables = 2 ** 26;
const firstUs = Date.UTC(1990, 0, 1) * 1e3;
const lastUs = firstUs + pids * tables - 1;
/** Half a unit is added, so that the value is the same whether the disk truncates or rounds times to microseconds. */
const half = .5;
/** A heartbeat at `wallMs` that also records the process, if `name` is given. */
function heartbeat(wallMs, name) {
	if (name === void 0) return {
		accessed: wallMs / 1e3,
		modified: wallMs / 1e3
	};
	return {
		accessed: (firstUs + name.table * pids + name.pid + half) / 1e6,
		modified: (Math.floor(wallMs) * 1e3 + name.start + half) / 1e6
	};
}
/** The process that set these times; `undefined` if they record none. */
function processOf(stats) {
	const accessedUs = Number(stats.atimeNs / 1000n);
	const modifiedUs = Number(stats.mtimeNs / 1000n);
	if (accessedUs < firstUs || accessedUs > lastUs) return void 0;
	if (modifiedUs <= lastUs) return void 0;
	const number = accessedUs - firstUs;
	const pid = number % pids;
	return pid === 0 ? void 0 : {
		pid,
		table: Math.floor(number / pids),
		start: modifiedUs % 1e3
	};
}
/** The time to set on an announcement, in milliseconds: an even number while its process is making a directory, an odd number otherwise. */
function announcedMs(wallMs, isUp) {
	return 2 * Math.floor(wallMs / 2) + (isUp ? 0 : 1);
}
function isRaised(stats) {
	return processOf(stats) !== void 0 && stats.mtimeNs / 1000000n % 2n === 0n;
}
function isSameProcess(a, b) {
	return a?.pid === b?.pid && a?.table === b?.table && a?.start === b?.start;
}
// packages/vault-lock/src/processes.ts
/**
* Whether another process of this machine has ended. This is known only on Linux and only within one process table, because a process id
* means nothing on another machine, after a restart, or in another container.
*/
/** Whether these times were set by a process that has ended. */
function isOfEnded(stats, processes) {
	const name = processOf(stats);
	return name !== void 0 && processes.hasEnded(name);
}
let known$1;
const nodeProcesses = {
	self: () => (known$1 ??= { self: nameSelf() }).self,
	hasEnded({ pid, table, start }) {
		const self = nodeProcesses.self();
		if (table !== self?.table) return false;
		if (pid === process.pid) return start !== self.start;
		if (!isThere$1(pid)) return true;
		const found = look$1(`${pid}`);
		if (found === void 0) return false;
		return found.start !== start || /[ZX]/.test(found.state) && found.threads <= 1;
	}
};
function nameSelf() {
	if (process.platform !== "linux" || process.versions["deno"] !== void 0) return void 0;
	try {
		if (readlinkSync("/proc/self") !== `${process.pid}`) return void 0;
		const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
		const found = look$1("self");
		if (boot === "" || found === void 0) return void 0;
		const names = `${boot} ${readlinkSync("/proc/self/ns/pid")} ${clockNamespace()}`;
		const table = createHash("sha256").update(names).digest().readUInt32BE() >>> 6;
		return {
			pid: process.pid,
			table,
			start: found.start
		};
	} catch {
		return;
	}
}
/** Linux reports the start of a process by the clock of the process that asks, so both must share a time namespace. */
function clockNamespace() {
	try {
		return readlinkSync("/proc/self/ns/time");
	} catch {
		return "";
	}
}
/** A process that exists but may not be signalled counts as present. */
function isThere$1(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code !== "ESRCH";
	}
}
function look$1(pid) {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, "latin1");
		const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
		const start = Number(fields[19]);
		if (!Number.isInteger(start)) return void 0;
		return {
			state: fields[0] ?? "",
			threads: Number(fields[17]),
			start: start % 1e3
		};
	} catch {
		return;
	}
}
// packages/vault-lock/src/surroundings.ts
/** Describes where this process runs: what decides where a path leads, and a name for people. */
let known;
function nodeSurroundings() {
	return known ??= {
		view: viewOfPaths(),
		name: `${userName()} on ${hostname()}`
	};
}
/** Containers and system services on Linux can have mounts and a root of their own. On other systems all processes see the same files. */
function viewOfPaths() {
	if (process.platform !== "linux") return digest(`${process.platform} ${hostname()}`);
	try {
		const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
		const { dev, ino } = statSync("/", { bigint: true });
		return boot === "" ? "" : digest(`${boot} ${readlinkSync("/proc/self/ns/mnt")} ${dev}-${ino}`);
	} catch {
		return "";
	}
}
function digest(text) {
	return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
function userName() {
	try {
		return userInfo().username;
	} catch {
		return `user ${process.getuid?.() ?? "unknown"}`;
	}
}
// packages/vault-lock/src/runtime.ts
/** Clock, randomness, ids and processes as an argument, so that a test controls them. */
/** The real clock, random numbers and process table. */
const nodeRuntime = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	sleep: (ms, signal, { keepsAlive = true } = {}) => new Promise((resolve) => {
		if (signal?.aborted === true) return resolve();
		const timer = setTimeout(done, ms);
		if (!keepsAlive) timer.unref();
		signal?.addEventListener("abort", done, { once: true });
		function done() {
			clearTimeout(timer);
			signal?.removeEventListener("abort", done);
			resolve();
		}
	}),
	random: () => Math.random(),
	newId: () => randomUUID(),
	processes: nodeProcesses,
	surroundings: nodeSurroundings
};
// packages/vault-lock/src/put-back.ts
/**
* Moves files back that were moved into a directory of ours for deletion, because nobody was told yet that they are deleted. If a name has
* a new file by now, the new file stays.
*/
/** `own` is the name of the directory that holds the moved files, inside the directory they came from. */
async function putBack(directory, own, fs) {
	await emptied(directory, own, fs, async (moved, name) => putOneBack(moved, directory.at(name), fs));
}
/** Deletes the moved files. */
async function clearAway(directory, own, fs) {
	await emptied(directory, own, fs, async (moved) => fs.unlink(moved));
}
async function emptied(directory, own, fs, take) {
	const away = await openDirectory(directory.at(own), fs, { followLink: false });
	try {
		for (const name of await fs.readdir(away.self)) await take(away.at(name), name);
	} finally {
		await away.close();
	}
	await fs.rmdir(directory.at(own));
}
async function putOneBack(moved, target, fs) {
	if ((await fs.lstat(moved)).isFile() && await isLinked(moved, target, fs) || await isThere(target, fs)) await fs.unlink(moved);
	else await fs.rename(moved, target);
}
/**
* Whether the name has a file now. The file gets its name by a hard link, which never replaces another file. Some disks do not support hard
* links.
*/
async function isLinked(moved, target, fs) {
	return fs.link(moved, target).then(() => true, (error) => isErrno(error, "EEXIST"));
}
async function isThere(target, fs) {
	return fs.lstat(target).then(() => true, (error) => {
		if (isErrno(error, "ENOENT")) return false;
		throw error;
	});
}
/** The same, synchronously, because the process is ending and cannot wait. */
function putBackNow(own) {
	for (const name of readdirSync(own)) {
		const [moved, target] = [join(own, name), join(dirname(own), name)];
		if (isLinkedNow(moved, target) || lstatSync(target, { throwIfNoEntry: false }) !== void 0) unlinkSync(moved);
		else renameSync(moved, target);
	}
	rmdirSync(own);
}
function isLinkedNow(moved, target) {
	if (!lstatSync(moved).isFile()) return false;
	try {
		linkSync(moved, target);
		return true;
	} catch (error) {
		return isErrno(error, "EEXIST");
	}
}
// packages/vault-lock/src/sweep-remnants.ts
/**
* Removes the temporary files that killed writers left in a directory. The holder of the lock that a file was written under may remove it
* at once. Any other file is removed only when it is old, because its writer may still be running.
*/
const oldMs = 36e5;
const rememberedDirectories = 1e4;
/** One entry for each file system. Only tests use another file system than the real one. */
const sweepings = /* @__PURE__ */ new WeakMap();
const tags = /* @__PURE__ */ new Map();
function sweepingOf(fs) {
	const sweeping = sweepings.get(fs) ?? {
		inFlight: /* @__PURE__ */ new Set(),
		swept: /* @__PURE__ */ new Map()
	};
	sweepings.set(fs, sweeping);
	return sweeping;
}
/** Runs `work`, during which no sweep of this process removes this file. */
async function whileInFlight(path, fs, work) {
	const { inFlight } = sweepingOf(fs);
	inFlight.add(path);
	try {
		return await work();
	} finally {
		inFlight.delete(path);
	}
}
/**
* Sweeps once per directory and process, and again after a dead writer was found. Never fails, because the write that follows matters more.
*/
async function sweepRemnants(directory, hold, world = {}) {
	const { fs = nodeFileSystem, runtime = nodeRuntime } = world;
	if (isKnown(directory, hold, fs)) return;
	const open = await openDirectory(directory, fs).catch(() => void 0);
	if (open === void 0) return;
	try {
		if (await sweep(open, hold, {
			fs,
			runtime
		})) know(directory, hold, fs);
	} finally {
		await open.close();
	}
}
/** Whether this process has swept the directory since the last dead writer was found. */
function isKnown(directory, hold, fs) {
	return sweepingOf(fs).swept.get(placeOf$1(directory, hold)) === deathsOf$1(hold);
}
function know(directory, hold, fs) {
	const { swept } = sweepingOf(fs);
	if (swept.size >= rememberedDirectories) swept.clear();
	swept.set(placeOf$1(directory, hold), deathsOf$1(hold));
}
/** Sweeps the directory. Returns false if it does not exist or cannot be listed. */
async function sweep(directory, hold, world) {
	try {
		await sweepAll(directory, hold, await world.fs.readdir(directory.self), world);
		return true;
	} catch {
		return false;
	}
}
/**
* Sweeps before a file is removed, and throws if that fails. A killed remover may have left an older copy of the file, which a later sweep
* would put back after the removal.
*/
async function sweepBeforeRemoval(directory, hold, world) {
	if (isKnown(directory.path, hold, world.fs)) return;
	await sweepAll(directory, hold, await world.fs.readdir(directory.self).catch((error) => {
		if (isErrno(error, "EACCES")) return [];
		throw error;
	}), world);
	know(directory.path, hold, world.fs);
}
async function sweepAll(directory, hold, names, world) {
	for (const name of names) await sweepOne(directory, name, hold, world);
}
function placeOf$1(directory, hold) {
	return `${hold.lockDirectory ?? ""}\0${directory}`;
}
function deathsOf$1(hold) {
	return hold.deaths ?? 0n;
}
async function sweepOne(directory, name, hold, { fs, runtime }) {
	const kind = remnantKind(name, tagsOf(hold));
	if (kind === void 0 || sweepingOf(fs).inFlight.has(join(directory.path, name))) return;
	const path = directory.at(name);
	const stats = await fs.lstat(path);
	const isDirectory = stats.isDirectory() && mayBeDirectory(name);
	if (!stats.isFile() && !isDirectory) return;
	if (kind === "old" && runtime.now() - Number(stats.mtimeMs) <= oldMs) return;
	await askLast(hold);
	if (!isDirectory) await fs.unlink(path);
	else await (kind === "now" ? putBack : clearAway)(directory, name, fs);
}
/** The tag in the names of temporary files. It is the same for all writers that exclude each other. */
function tagOf(hold) {
	return tagsOf(hold)[0] ?? "unlocked00";
}
/** The tags of a hold: that of the directory and that of the lock, because the first writer starts before the directory has a tag. */
function tagsOf(hold) {
	const { lockDirectory, tag } = hold ?? {};
	if (lockDirectory === void 0) return [];
	const ofLock = tags.get(lockDirectory) ?? createHash("sha256").update(lockDirectory).digest("hex").slice(0, 10);
	if (tags.size >= rememberedDirectories) tags.clear();
	tags.set(lockDirectory, ofLock);
	return tag === void 0 ? [ofLock] : [tag, ofLock];
}
// packages/vault-lock/src/atomic-write.ts
/**
* Replaces a whole file, or fails and leaves the old one. Readers see the old or the new file, also after a power cut. A symbolic link is
* neither followed nor replaced, unless the caller asks for it: to write the file behind a link, resolve the link first.
*/
const renameMs = 2e3;
const longestPauseMs = 50;
/**
* Replaces a whole file, or fails and leaves the old one. Readers see the old or the new text, also after a power cut.
*
* @example
* ```ts
* import { atomicWrite, filePath } from '@agentm/vault-lock'
* import { mkdtemp, readFile } from 'node:fs/promises'
* import { tmpdir } from 'node:os'
* import path from 'node:path'
*
* const file = filePath(path.join(await mkdtemp(path.join(tmpdir(), 'atomic-')), 'note.md'))
* await atomicWrite(file, 'Whole, or not at all.\n')
* console.log((await readFile(file, 'utf8')).trim()) // Whole, or not at all.
* ```
*/
async function atomicWrite(target, content, options = {}) {
	const { fs = nodeFileSystem } = options;
	const bytes = encode(content, target);
	const mode = await modeOf(target, fs);
	const { directory, made } = await openMaking(dirname(target), fs);
	try {
		await replaceFile({
			directory: byPath(directory),
			name: basename(target),
			made
		}, bytes, mode === void 0 ? options : {
			mode,
			...options
		});
	} finally {
		await directory.close();
	}
}
/** Like `atomicWrite`, for a name that is known to be a regular file or unused: the current file is not checked. */
async function replaceFile(place, bytes, options) {
	const { hold, later, fs = nodeFileSystem, runtime = nodeRuntime } = options;
	const { directory, made } = place;
	const stranger = hold === void 0 || isKnown(directory.path, hold, fs) ? void 0 : hold;
	const isSwept = stranger !== void 0 && await sweep(directory, stranger, {
		fs,
		runtime
	});
	await putInPlace(place, bytes, options, {
		fs,
		runtime
	});
	const first = stranger === void 0 ? made : await firstUnsure(directory.path, made, stranger, fs);
	if (later !== void 0 && first === void 0 && !isSwept) return later(directory.sync());
	await directory.sync();
	if (first !== void 0) await syncDirectories(dirname(directory.path), first, fs);
	if (isSwept) know(directory.path, stranger, fs);
}
async function putInPlace({ directory, name }, bytes, options, world) {
	const { hold, mode } = options;
	const { fs, runtime } = world;
	const temporary = temporaryName(tagOf(hold), runtime.newId());
	await withTemporary(directory, temporary, world, async () => {
		const file = await fs.open(directory.at(temporary), "wx", mode ?? 438);
		await fill(file, bytes, mode, fs);
		await publish({
			temporary: directory.at(temporary),
			target: directory.at(name)
		}, {
			...options,
			closed: file.close()
		}, world);
	});
}
async function openMaking(path, fs) {
	try {
		return {
			directory: await openDirectory(path, fs),
			made: void 0
		};
	} catch (error) {
		if (!isErrno(error, "ENOENT")) throw error;
	}
	const made = await fs.mkdir(path, { recursive: true });
	return {
		directory: await openDirectory(path, fs),
		made
	};
}
/**
* The process that created a directory may have died before the directory was synced, so every directory from the root to here is synced
* once.
*/
async function firstUnsure(directory, made, { root }, fs) {
	const top = isWithin(root, directory) ? root : await realRoot(root, fs);
	if (top === void 0 || !isWithin(top, directory)) return made;
	return made === void 0 || made.length > top.length ? top : made;
}
async function realRoot(root, fs) {
	try {
		return await fs.realpath(root);
	} catch (error) {
		if (isErrno(error, "ENOENT", "ENOTDIR")) return void 0;
		throw error;
	}
}
function encode(content, target) {
	if (typeof content !== "string") return content;
	if (!content.isWellFormed()) throw new InvalidTextError(`the text for ${target}`);
	return Buffer.from(content);
}
/** Permission bits of the current file; `undefined` if there is none. Throws for anything that is not a file. */
async function modeOf(target, fs) {
	try {
		const stats = await fs.lstat(target);
		if (stats.isSymbolicLink()) throw new NotReplaceableError(target, "a symbolic link");
		if (stats.isDirectory()) throw new NotReplaceableError(target, "a directory");
		if (!stats.isFile()) throw new NotReplaceableError(target, "not a regular file");
		return Number(stats.mode) & 511;
	} catch (error) {
		if (isErrno(error, "ENOENT")) return void 0;
		throw error;
	}
}
/** Runs `work` and leaves no temporary file behind: `work` renames it, or it is removed, also when the process dies. */
async function withTemporary(directory, name, { fs }, work) {
	const temporary = directory.at(name);
	const forget = fs.isSimulated ? void 0 : onDeath(() => unlinkSync(temporary));
	try {
		return await whileInFlight(join(directory.path, name), fs, work);
	} catch (error) {
		await fs.unlink(temporary).catch(() => fs.unlink(temporary)).catch(() => {});
		throw error;
	} finally {
		forget?.();
	}
}
async function fill(file, bytes, mode, fs) {
	try {
		await both(file.writeFile(bytes), mode === void 0 || fs.platform === "win32" ? void 0 : permit(file, mode));
		await file.sync();
	} catch (error) {
		await file.close().catch(() => {});
		throw error;
	}
}
/** Sets the mode again, because the umask may have removed bits when the file was created. */
async function permit(file, mode) {
	const { mode: given } = await file.stat();
	if ((Number(given) & 4095) !== mode) await file.chmod(mode);
}
async function publish({ temporary, target }, { hold, confirm, closed, isNew = false }, world) {
	const { fs, runtime } = world;
	const started = runtime.monotonic();
	for (let pauseMs = 1;; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
		await askLast(hold, async () => void await both(closed, confirm?.()));
		try {
			await (isNew ? giveName(temporary, target, fs) : fs.rename(temporary, target));
			return;
		} catch (error) {
			if (isErrno(error, "ENOENT")) await hold?.check();
			if (isErrno(error, "EISDIR")) throw new NotReplaceableError(target, "a directory");
			if (!(isNew && confirm !== void 0 && isErrno(error, "EEXIST") || fs.platform === "win32" && isErrno(error, "EPERM", "EACCES", "EBUSY")) || runtime.monotonic() - started > renameMs) throw error;
			await runtime.sleep(pauseMs);
		}
	}
}
// packages/vault-lock/src/kept-names.ts
/**
* How the disk spells the names in a key. Some disks (those of macOS and Windows, USB sticks, some network shares) ignore case: a read of
* `proj` opens `Proj`, so two keys would share one file. Two Unicode forms of one accent count as the same name, because disks and sync
* programs replace one form by the other.
*/
/** How long a spelling that was read from the disk is cached. */
const believedMs$1 = 2e3;
const mostDirectories = 64;
var KeptNames = class {
	#fs;
	#monotonic;
	#seen = /* @__PURE__ */ new Map();
	/** Whether the disk distinguishes upper and lower case; `undefined` until a name in the root has shown it. */
	#keepsApart;
	constructor(fs, monotonic = () => performance.now()) {
		this.#fs = fs;
		this.#monotonic = monotonic;
	}
	/** True once it is known that no spelling has to be checked. */
	get keepsApart() {
		return this.#keepsApart === true;
	}
	/** For a key at which a file was found: the key under which the disk stores it, if that is a different one. */
	async otherKey(root, key) {
		this.#keepsApart ??= await this.#looksApart(root);
		if (key === "" || this.#keepsApart !== false) return void 0;
		const kept = [];
		for (const segment of key.split("/")) {
			const name = await this.#keptName(path.join(root, ...kept), segment);
			if (name === void 0) return void 0;
			kept.push(name);
		}
		return kept.join("/") === key ? void 0 : kept.join("/");
	}
	/** The spelling on disk: `segment` itself if it is stored in that form or in another Unicode form of the same characters. */
	async #keptName(directory, segment) {
		const seen = this.#seen.get(directory);
		if (seen?.names.has(segment) === true && this.#monotonic() - seen.since < believedMs$1) return segment;
		const names = await this.#namesIn(directory);
		if (names.has(segment)) return segment;
		const alike = [...names].find((name) => folded$1(name) === folded$1(segment));
		return alike?.normalize("NFC") === segment.normalize("NFC") ? segment : alike;
	}
	async #namesIn(directory) {
		const names = new Set(await this.#fs.readdir(directory).catch(() => []));
		if (this.#seen.size >= mostDirectories) this.#seen.clear();
		this.#seen.set(directory, {
			names,
			since: this.#monotonic()
		});
		return names;
	}
	/** Looks up a name of the root in the other case. True if the disk does not find it, so the disk distinguishes case. */
	async #looksApart(root) {
		const usual = path.dirname(storeMarkerKey);
		if (await this.#isApart(root, usual) === true) return true;
		const names = new Set(await this.#fs.readdir(root).catch(() => []));
		const alone = [...names].find((name) => !names.has(inOtherCase(name)));
		return alone === void 0 ? void 0 : this.#isApart(root, alone);
	}
	/** `undefined` if the name does not exist at all. */
	async #isApart(root, name) {
		const both = [name, inOtherCase(name)].map((each) => path.join(root, each));
		const [there, other] = await this.#fs.lstatAll(both);
		return there === void 0 ? void 0 : other === void 0;
	}
};
/** Changes the case of ASCII letters only, because disks differ on other letters. A name without ASCII letters stays unchanged. */
function inOtherCase(name) {
	return name.replaceAll(/[a-z]/gi, (letter) => letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());
}
function folded$1(name) {
	return name.normalize("NFC").toLowerCase();
}
// packages/vault-lock/src/pure/place-record.ts
/**
* Name of the directory that holds the records, inside the directory that is locked. It starts with a dot, so listings and note programs
* ignore it.
*/
const placesName = ".agentm-locks";
/** After this long without use, the next writer may replace the recorded lock by one that it can reach. */
const placeLeaseMs = 6e4;
/** A process that replaces the record waits this long before it writes to the directory, because others may still act on the old record. */
const placeSettleMs = 1e3;
function placeRecordName({ dev, ino }) {
	return `${dev.toString(36)}-${ino.toString(36)}.json`;
}
function tokenName(token) {
	return `place-${token}`;
}
/** The token in the name of a file beside a lock; `undefined` for any other name. */
function tokenIn(name) {
	return /^place-([0-9A-Za-z-]{1,64})$/.exec(name)?.[1];
}
function formatPlaceRecord(record) {
	return `${JSON.stringify(record, null, 2)}\n`;
}
/** `undefined` unless this package wrote the record, so that no path other than a lock is ever touched. */
function parsePlaceRecord(text) {
	const { lock, token, view, by } = fieldsOf(text);
	if (typeof lock !== "string" || typeof token !== "string" || typeof view !== "string" || typeof by !== "string") return void 0;
	return /^(\/|[A-Za-z]:[\\/]|\\\\).*[\\/][0-9a-f]{64}[\\/]lock$/s.test(lock) && !lock.includes("\0") && tokenIn(tokenName(token)) !== void 0 ? {
		lock,
		token,
		view,
		by
	} : void 0;
}
function fieldsOf(text) {
	try {
		const value = JSON.parse(text);
		return typeof value === "object" && value !== null ? { ...value } : {};
	} catch {
		return {};
	}
}
// packages/vault-lock/src/pure/usable-name.ts
/**
* Names that a key may not have on disk, because a file with such a name would be mistaken for something else: for one of our temporary
* files, or on Windows for a device. Windows also drops trailing dots and spaces.
*/
function refuseUnusableName(key, segment, platform) {
	if (isTemporaryName(segment)) throw new InvalidLocatorError(key, "a file that is being written has a name like that; it is hidden, and removed when its writer is gone. Choose another name");
	if (segment === ".agentm-locks") throw new InvalidLocatorError(key, "writers keep there which lock they take. Choose another name");
	if (platform !== "win32") return;
	if (/[<>:"|?*\p{Cc}]/u.test(segment)) throw new InvalidLocatorError(key, "Windows has no such file name");
	if (/[. ]$/.test(segment)) throw new InvalidLocatorError(key, "Windows drops the last dot or space of a name");
	if (segment.length > 255) throw new InvalidLocatorError(key, "a name in it is too long for this disk");
	if (/^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)/i.test(segment)) throw new InvalidLocatorError(key, "Windows keeps this name for a device");
}
// packages/vault-lock/src/target.ts
var Target = class {
	name;
	present;
	#fs;
	#makeRoot;
	#missing;
	#directory;
	constructor({ nearest, missing, name, present }, fs, makeRoot) {
		this.name = name;
		this.present = present;
		this.#fs = fs;
		this.#makeRoot = makeRoot;
		this.#missing = [...missing];
		this.#directory = nearest;
	}
	/** Creates the absent directories, each inside the one before, so that no link that appeared meanwhile is followed. */
	async enter() {
		let { directory, made } = this.#directory === void 0 ? await this.#makeRoot() : {
			directory: this.#directory,
			made: void 0
		};
		this.#directory = directory;
		for (const name of this.#missing.splice(0)) {
			if (await this.#isMade(directory.at(name))) made ??= path.join(directory.path, name);
			const next = await openDirectory(directory.at(name), this.#fs, { followLink: false });
			await directory.close();
			this.#directory = directory = next;
		}
		return {
			directory,
			made
		};
	}
	async close() {
		await this.#directory?.close();
		this.#directory = void 0;
	}
	async #isMade(place) {
		try {
			await this.#fs.mkdir(place);
			return true;
		} catch (error) {
			if (isErrno(error, "EEXIST")) return false;
			throw error;
		}
	}
};
// packages/vault-lock/src/confined-root.ts
/**
* Resolves a key to a path on this machine, following symbolic links, or refuses it. A key cannot contain `..`, but a link on the way can
* lead out of the root. Therefore a file is opened first, and then its real location is checked: it must be in the root or in a directory
* that the owner allowed. Swapping a link meanwhile changes nothing, because the open file stays the same.
*/
/** Non-blocking, because otherwise opening a named pipe would wait for a process that writes into it. */
const readOnly = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/**
* How often a file is opened again after another program replaced it. This happens only on systems where the location of an open file is
* known only by its name.
*/
const openRounds = 16;
var ConfinedRoot = class {
	#root;
	#fs;
	#bounds;
	/** The last known real path of the root. It is resolved again before any file is refused as outside. */
	#real;
	#names;
	constructor(root, fs, bounds) {
		this.#root = root;
		this.#fs = fs;
		this.#names = new KeptNames(fs);
		this.#bounds = bounds;
	}
	/** Whether some directories below the root are excluded from it. */
	get isParted() {
		return this.#bounds.exclude.length > 0;
	}
	/** The last known real path of the root; `undefined` before anything was looked up. */
	get knownRoot() {
		return this.#real;
	}
	/** What the key leads to now; `undefined` if nothing exists there. */
	async find(at) {
		this.#refuseNames(at);
		const found = await this.#present(at, () => locate(this.#place(at.key), this.#fs));
		if (found === void 0) {
			await this.#refuseUnfollowed(at);
			return;
		}
		await this.#judge(at, at.key, found.path, async () => found.stats.isDirectory());
		return await this.#otherKey(at.key, found.path) === void 0 ? found : void 0;
	}
	/** Opens the file at the key for reading; `undefined` if nothing exists there. */
	async open(at) {
		this.#refuseNames(at);
		for (let round = 0; round < openRounds; round++) {
			const file = await this.#present(at, () => this.#fs.open(this.#place(at.key), readOnly));
			if (file === void 0) {
				await this.#refuseUnfollowed(at);
				return;
			}
			const found = await orClose(file, () => this.#judgeOpen(at, file));
			if (found !== "replaced" && found !== "of another key") return {
				file,
				path: found
			};
			await file.close();
			if (found === "of another key") return void 0;
		}
		throw new OutsideStoreError(at, { why: "leads to another file each time it is opened. Try again." });
	}
	/** Opens the directory at the key; `undefined` if there is none. */
	async directory(at) {
		this.#refuseNames(at);
		const directory = await this.#directory(at, at.key);
		if (directory !== void 0 && await this.#otherKey(at.key, directory.path) !== void 0) {
			await directory.close();
			return;
		}
		if (directory === void 0) await this.find(at);
		return directory;
	}
	/** Where the file of this key is or will be created. A link with that name is followed, unless the caller means the link itself. */
	async target(at, { isLinkMeant = false } = {}) {
		this.#refuseNames(at);
		const { nearest, missing } = await this.#nearest(at, at.parts.slice(0, -1));
		if (nearest === void 0 || missing.length > 0) return this.#target(at, {
			nearest,
			missing,
			name: at.name
		});
		return orClose(nearest, async () => {
			const present = await this.#present(at, () => this.#fs.lstat(nearest.at(at.name)));
			if (present !== void 0) await this.#refuseOtherKey(at, at.key);
			if (present?.isSymbolicLink() === true && !isLinkMeant) {
				const behind = await this.#behindLink(at);
				await nearest.close();
				return behind;
			}
			await this.#refuseExcluded(at, path.join(nearest.path, at.name));
			return this.#target(at, {
				nearest,
				missing,
				name: at.name,
				present
			});
		});
	}
	/** The directory at the key. `enter` creates it, and the directories on the way to it, if they are absent. */
	async folder(at) {
		this.#refuseNames(at);
		const { nearest, missing } = await this.#nearest(at, at.parts);
		const present = nearest !== void 0 && missing.length === 0 ? await this.#fs.lstat(nearest.self) : void 0;
		return this.#target(at, {
			nearest,
			missing,
			name: "",
			present
		});
	}
	async #judgeOpen(at, file) {
		const real = await whereIs(file, this.#place(at.key), this.#fs);
		if (real === void 0) return "replaced";
		await this.#judge(at, at.key, real, async () => (await file.stat()).isDirectory());
		return await this.#otherKey(at.key, real) === void 0 ? real : "of another key";
	}
	#place(key) {
		return key === "" ? this.#root : path.join(this.#root, key);
	}
	#refuseNames(at) {
		for (const segment of at.parts) refuseUnusableName(at.key, segment, this.#fs.platform);
	}
	/** `undefined` if nothing exists there, or only a broken link. */
	async #present(at, look) {
		try {
			return await look();
		} catch (error) {
			if (isErrno(error, "ENOENT", "ENOTDIR", "ELOOP")) return void 0;
			if (isErrno(error, "ENAMETOOLONG")) throw new InvalidLocatorError(at.key, "it, or a name in it, is longer than this disk allows");
			throw error;
		}
	}
	async #resolve(at, place) {
		return this.#present(at, async () => await this.#fs.realpath(place));
	}
	async #directory(at, key) {
		const directory = await this.#present(at, () => openDirectory(this.#place(key), this.#fs));
		if (directory === void 0) return void 0;
		return orClose(directory, async () => {
			await this.#judge(at, key, directory.path, async () => true);
			return directory;
		});
	}
	/** Opens the last of these directories that exists, and returns it with the names of those that do not exist. */
	async #nearest(at, folders) {
		for (let known = folders.length; known >= 0; known--) {
			const nearest = await this.#directory(at, folders.slice(0, known).join("/"));
			if (nearest === void 0) continue;
			const missing = folders.slice(known);
			return orClose(nearest, async () => {
				await this.#refuseOtherKey(at, folders.slice(0, known).join("/"), nearest.path);
				const [next] = missing;
				if (next !== void 0) await this.#refuseInTheWay(at, folders.slice(0, known + 1).join("/"), nearest.at(next));
				await this.#refuseExcluded(at, path.join(nearest.path, ...missing));
				return {
					nearest,
					missing
				};
			});
		}
		await this.#refuseInTheWay(at, "", this.#root);
		return {
			nearest: void 0,
			missing: folders
		};
	}
	#target(at, way) {
		return new Target(way, this.#fs, async () => {
			const { rootMode: mode } = this.#bounds;
			const made = await this.#fs.mkdir(this.#root, {
				recursive: true,
				...mode === void 0 ? {} : { mode }
			});
			const directory = await this.#directory(at, "");
			if (directory === void 0) throw new NotAFileError(at, "below a directory that went away. Try again");
			return {
				directory,
				made
			};
		});
	}
	async #behindLink(at) {
		const found = await this.find(at);
		if (found === void 0) {
			await this.#refuseLinkInTheWay(at, at.key);
			throw new NotAFileError(at, "behind a link that is just being changed. Try again");
		}
		const name = path.basename(found.path);
		const nearest = await openDirectory(path.dirname(found.path), this.#fs);
		return orClose(nearest, async () => {
			const present = await this.#present(at, () => this.#fs.lstat(nearest.at(name)));
			if (nearest.path !== path.dirname(found.path) || present?.isSymbolicLink() === true) throw new OutsideStoreError(at);
			return this.#target(at, {
				nearest,
				missing: [],
				name,
				present
			});
		});
	}
	/**
	* Throws if something other than a directory has the place of a directory. A broken link is refused too, because nobody has checked the
	* place it names.
	*/
	async #refuseInTheWay(at, key, place) {
		const stats = await this.#present(at, () => this.#fs.lstat(place));
		if (stats === void 0 || stats.isDirectory()) return;
		if (stats.isSymbolicLink()) await this.#refuseLinkInTheWay(at, key);
		if (key === at.key) throw new NotAFileError(at, "a file, so no directory can be made there");
		throw new NotAFileError(at, "below a file. Choose another key, or move that file away");
	}
	async #refuseLinkInTheWay(at, key) {
		const behind = await this.#present(at, () => locate(this.#place(key), this.#fs));
		if (behind === void 0) throw new NotAFileError(at, "behind a link that leads nowhere, or in a circle. Remove it or mend it");
		await this.#judge(at, key, behind.path, async () => behind.stats.isDirectory());
	}
	/** Called after something was created at this key. Throws if the disk has stored it under another key. */
	async confirmKey(at) {
		await this.#refuseOtherKey(at, at.key);
	}
	/** The key under which the disk stores the file found at this key, if that is another one. */
	async #otherKey(key, found) {
		const root = this.#real;
		if (root === void 0 || this.#names.keepsApart) return void 0;
		if (this.#fs.platform !== "linux" && found?.normalize("NFC") === below(root, key).normalize("NFC")) return void 0;
		return this.#names.otherKey(root, key);
	}
	async #refuseOtherKey(at, key, found) {
		const kept = await this.#otherKey(key, found);
		if (kept === void 0) return;
		const differs = key.split("/").findIndex((segment, i) => kept.split("/")[i] !== segment);
		const [asked, there] = [key, kept].map((each) => JSON.stringify(each.split("/").slice(0, differs + 1).join("/")));
		const why = `this disk takes ${asked} for ${there}, which is there. Use that spelling, or another name`;
		throw new InvalidLocatorError(at.key, why);
	}
	/** Throws unless the file found at this key is stored in an allowed place. */
	async #judge(at, key, real, isFolder) {
		if (!await this.#isPlain(at, key, real)) await this.#judgeDetour(at, key, real, isFolder);
		await this.#refuseExcluded(at, real);
	}
	/** Whether the file is stored where its key says, so that no link was followed below the root. */
	async #isPlain(at, key, real) {
		if (this.#real !== void 0 && real === below(this.#real, key)) return true;
		this.#real = await this.#whereRootLies(at);
		return this.#real !== void 0 && isSame(real, below(this.#real, key));
	}
	async #whereRootLies(at) {
		if (this.#bounds.followLinks) return this.#resolve(at, this.#root);
		const above = path.dirname(this.#root);
		return path.join(await this.#resolve(at, above) ?? above, path.basename(this.#root));
	}
	async #judgeDetour(at, key, real, isFolder) {
		const root = this.#real;
		if (root === void 0 || !this.#bounds.followLinks) throw new OutsideStoreError(at);
		if (!isWithin(root, real) && !await this.#isAllowed(at, real)) throw new OutsideStoreError(at);
		const isItself = await isFolder();
		const folderKey = isItself ? key : key.split("/").slice(0, -1).join("/");
		const folder = isItself ? real : await this.#resolve(at, this.#place(folderKey));
		if (folder === void 0 || !await this.#isOwnWay(at, folderKey, folder)) throw new OutsideStoreError(at, { why: secondWay });
	}
	async #isAllowed(at, real) {
		for (const directory of this.#bounds.allowLinks) {
			const allowed = await this.#resolve(at, directory);
			if (allowed !== void 0 && isWithin(allowed, real)) return true;
		}
		return false;
	}
	/**
	* Whether this key is the only path to the folder: without a link, or through one link that leads out of the store. Through any other
	* link, the same file would get a second key, perhaps in another project, and a circle of links would give it endlessly many.
	*/
	async #isOwnWay(at, key, folder) {
		const root = this.#real;
		if (root === void 0 || isSame(folder, below(root, key))) return root !== void 0;
		if (isWithin(root, folder)) return false;
		const steps = key.split("/");
		for (const i of steps.keys()) {
			const place = path.join(root, ...steps.slice(0, i + 1));
			if ((await this.#present(at, () => this.#fs.lstat(place)))?.isSymbolicLink() !== true) continue;
			const target = await this.#resolve(at, place);
			return target !== void 0 && isSame(folder, path.join(target, ...steps.slice(i + 1)));
		}
		return false;
	}
	/** If links are not followed, a broken link is refused too, because its target may be created at any moment. */
	async #refuseUnfollowed(at) {
		if (this.#bounds.followLinks) return;
		for (let i = 0; i <= at.parts.length; i++) {
			const place = this.#place(at.parts.slice(0, i).join("/"));
			if ((await this.#fs.lstat(place).catch(() => void 0))?.isSymbolicLink() === true) throw new OutsideStoreError(at);
		}
	}
	async #refuseExcluded(at, place) {
		for (const directory of this.#bounds.exclude) {
			const excluded = await this.#resolve(at, directory);
			if (excluded !== void 0 && isWithin(excluded, place)) throw new OutsideStoreError(at);
		}
	}
};
const secondWay = "is behind a link to a folder that is not followed, because what is there has a key of its own. Use that key, or put a folder in the place of the link.";
function below(root, key) {
	if (key === "") return root;
	const names = path.sep === "/" ? key : key.replaceAll("/", path.sep);
	return root.endsWith(path.sep) ? root + names : root + path.sep + names;
}
/** Ignores case and the Unicode form of accents, because some disks store another spelling than they were asked for. */
function isSame(a, b) {
	return a === b || folded(a) === folded(b);
}
function folded(place) {
	return path.normalize(place).normalize("NFC").toLowerCase();
}
/** Returns the result of `work`, and closes the open file if `work` fails. */
async function orClose(open, work) {
	try {
		return await work();
	} catch (error) {
		await open.close().catch(() => {});
		throw error;
	}
}
// packages/vault-lock/src/file-path.ts
/**
* An absolute path on this machine. It has its own type, so that the compiler reports a path that leaves the code that touches disks. `..`
* is resolved in the text, as `node:path` does, without following links.
*/
/**
* Removes doubled and trailing separators and resolves `.` and `..` in the text. Reads nothing from disk.
*
* @example
* ```ts
* import { filePath } from '@agentm/vault-lock'
*
* console.log(filePath('/srv//vault/./notes/')) // /srv/vault/notes
* ```
*/
function filePath(text) {
	const why = objection(text);
	if (why !== void 0) throw new InvalidPathError(text, why);
	return resolve(text);
}
/**
* Like `filePath`, for a path from a caller: a relative path starts from the working directory.
*
* @example
* ```ts
* import { givenPath } from '@agentm/vault-lock'
* import path from 'node:path'
*
* console.log(givenPath('vault') === path.resolve('vault')) // true
* ```
*/
function givenPath(text) {
	return filePath(typeof text === "string" && text !== "" ? resolve(text) : text);
}
function objection(text) {
	if (typeof text !== "string") return "a path is text";
	if (text === "") return "it is empty";
	if (text.includes("\0")) return "it holds a NUL character";
	if (!text.isWellFormed()) return "it holds half a surrogate pair";
	if (!isAbsolute(text)) return "it is not absolute; resolve it first";
}
// packages/vault-lock/src/known-listings.ts
/**
* A cache of listings of directories that have not changed, so that repeated listings do not check every name again. The kernel reports
* changes: on Linux, on a local disk, it queues the event of a change before the call that made the change returns. On other systems events
* may be late or lost, so nothing is cached there. Some changes cause no event, such as a write through mapped memory or through another
* name of the file. They are seen after some seconds, because a cached listing expires.
*/
const hearsAtOnce = process.versions["bun"] === void 0 && process.versions["deno"] === void 0;
const believedMs = 1e4;
const mostWatched = 256;
/** The largest number of entries in all cached listings of this process, at some 300 bytes each. */
const mostEntries = 2e5;
var KnownListings = class {
	#asked = /* @__PURE__ */ new Set();
	#known = /* @__PURE__ */ new Map();
	#revisions = 0;
	#monotonic;
	constructor(monotonic = () => performance.now()) {
		this.#monotonic = monotonic;
	}
	/** The cached listing, if its names are still correct. */
	async find(directory) {
		const known = this.#known.get(directory);
		if (known?.listing === void 0 || this.#monotonic() - known.since > believedMs) return void 0;
		const identity = await identityOf(directory);
		await newsIsIn();
		const { listing, revision } = known;
		if (listing === void 0 || known.touched || identity !== known.identity) return void 0;
		return {
			known,
			listing,
			revision,
			edited: new Map(known.edited)
		};
	}
	/** Must be called before the names are read. Returns `undefined` at the first read of a directory, or if it cannot be watched. */
	async begin(directory) {
		if (!this.#asked.has(directory)) {
			this.#asked.add(directory);
			return;
		}
		const known = this.#known.get(directory) ?? await this.#watched(directory);
		if (known === void 0) return void 0;
		known.looks += 1;
		known.touched = false;
		known.edited.clear();
		known.listing = void 0;
		return {
			known,
			number: known.looks,
			identity: await identityOf(directory),
			since: this.#monotonic()
		};
	}
	/** Caches the listing and returns its revision, or `undefined` if it was not cached. */
	keep({ known, number, identity, since }, listing) {
		if (number !== known.looks || identity === void 0) return void 0;
		const revision = this.#nextRevision();
		Object.assign(known, {
			identity,
			listing,
			revision,
			since
		});
		makeRoom(listing.length, known);
		return revision;
	}
	#nextRevision() {
		return String(this.#revisions += 1);
	}
	/** Updates the entries of edited files. A file that was edited again meanwhile, or that another call is checking, is skipped. */
	correct({ known, edited }, now) {
		const mine = new Set([...edited].filter(([name, news]) => known.edited.get(name) === news).map(([name]) => name));
		if (mine.size === 0 || known.listing === void 0) return;
		known.listing = known.listing.map((info) => mine.has(info.locator.name) && now.get(info.locator.key) || info);
		known.revision = this.#nextRevision();
		for (const name of mine) known.edited.delete(name);
	}
	async #watched(directory) {
		if (!hearsAtOnce || !await isLocal(directory)) return void 0;
		const already = this.#known.get(directory);
		if (already !== void 0) return already;
		try {
			const watcher = watch(directory, { persistent: false });
			const known = {
				directory,
				watcher,
				looks: 0,
				touched: true,
				edited: /* @__PURE__ */ new Map(),
				news: 0,
				identity: void 0,
				listing: void 0,
				revision: "",
				since: 0
			};
			watcher.on("change", (event, name) => {
				if (event === "change" && typeof name === "string") known.edited.set(name, known.news += 1);
				else known.touched = true;
			});
			watcher.on("error", () => close$1(known));
			watcher.on("close", () => this.#forget(known));
			this.#known.set(directory, known);
			watched.add(known);
			return known;
		} catch {
			return;
		}
	}
	#forget(known) {
		known.touched = true;
		watched.delete(known);
		if (this.#known.get(known.directory) === known) this.#known.delete(known.directory);
	}
};
/** All watched directories of this process, the least recently used first. */
const watched = /* @__PURE__ */ new Set();
function makeRoom(entries, latest) {
	watched.delete(latest);
	let held = entries;
	for (const each of watched) held += each.listing?.length ?? 0;
	for (const each of watched) {
		if (held <= mostEntries && watched.size < mostWatched) break;
		held -= each.listing?.length ?? 0;
		close$1(each);
	}
	watched.add(latest);
}
/** Stops watching the directory and drops its listing. */
function close$1(known) {
	known.touched = true;
	known.listing = void 0;
	watched.delete(known);
	known.watcher.close();
}
/**
* Waits until pending events were delivered. Events are read between two turns of the event loop, and the first turn may already have
* started.
*/
async function newsIsIn() {
	await setImmediate$1();
	await setImmediate$1();
}
/** Identifies one state of a directory. It changes when names are added or removed, and when another directory takes the path. */
async function identityOf(directory) {
	return lstat$1(directory, { bigint: true }).then(({ dev, ino, ctimeNs, mtimeNs }) => `${dev}-${ino}-${ctimeNs}-${mtimeNs}`, () => void 0);
}
/** Whether the file has only one name. Only then are all its changes reported to whoever watches its directory. */
function isToldOf(stats) {
	return stats.isDirectory() || stats.nlink === 1n;
}
// packages/vault-lock/src/list-names.ts
/** The names in one directory that are keys, in code point order, without the files that this package keeps there. */
async function listNames(directory, at, options) {
	const names = /* @__PURE__ */ new Set();
	for (const entry of await entriesOf(directory, options.fs)) {
		const name = entry.toString("utf8");
		const why = unusable(entry, name);
		if (why !== void 0) options.onSkipped?.({
			in: at,
			name,
			why
		});
		else if (!isTemporaryName(name) && name !== ".agentm-locks") names.add(options.standIns?.original(name) ?? name);
	}
	return byCodePoint([...names]);
}
/** Plain sorting compares UTF-16 units, which differs from code point order only if a name contains surrogates. */
function byCodePoint(names) {
	if (!names.some((name) => /[\uD800-\uDFFF]/.test(name))) return names.toSorted();
	return names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
async function entriesOf(directory, fs) {
	try {
		return await fs.readdirBytes(directory);
	} catch (error) {
		if (isErrno(error, "ENOENT", "ENOTDIR")) return [];
		throw error;
	}
}
function unusable(entry, name) {
	if (!isUtf8(entry)) return "its name is not UTF-8";
	try {
		normalizeKey(name);
		return;
	} catch (error) {
		if (isSeamError(error, "INVALID_LOCATOR")) return error.message;
		throw error;
	}
}
// packages/vault-lock/src/way-to-directory.ts
/**
* The way from the root of a store to an open directory in it, at one moment. If the way is the same before and after some names were looked
* up by path, then the path led to that directory all the time: whoever puts a link on the way, and takes it away again, changes the time of
* the directory that the link was in. The system finds a name by its path in two thirds of the time that it takes through the open directory.
*/
/** Two changes within one tick of the system's clock leave the same time, so a directory counts only once it was left alone for longer. */
const restsAfterMs = 100;
/**
* `undefined` if the path cannot be relied on: the directory is outside the root, was moved, is on a disk that other machines write, or was
* reached through a directory that changed a moment ago.
*/
async function wayToDirectory({ path, self }, root, fs) {
	if (path === self || root === void 0 || !isWithin(root, path) || !await fs.isOurs(path)) return void 0;
	const [open, ...there] = await Promise.all([fs.stat(self), ...namesOnTheWay(root, path).map((each) => statusOf(each, fs))]);
	const [last, ...passed] = there;
	if (last === void 0 || last.ino !== open.ino || last.dev !== open.dev) return void 0;
	const latest = BigInt(Date.now() - restsAfterMs) * 1000000n;
	if (!passed.every((each) => each?.isDirectory() === true && each.ctimeNs < latest)) return void 0;
	return passed.map((each) => `${each?.dev}-${each?.ino}-${each?.ctimeNs}`).join("/");
}
/** The directory itself, then those that it is in, up to the root. */
function namesOnTheWay(root, path) {
	return path === root ? [path] : [path, ...namesOnTheWay(root, dirname(path))];
}
async function statusOf(path, fs) {
	return fs.lstat(path).catch(() => void 0);
}
// packages/vault-lock/src/directory-listing.ts
/** Number of entries between two calls of `enough`. */
const lookedAtOnce = 512;
/** From this number of names on, looking them up by path pays for checking the way to them. */
const worthAPath = 64;
var DirectoryListing = class {
	#store;
	#options;
	#known;
	constructor(store, options) {
		this.#store = store;
		this.#options = options;
		this.#known = options.fs === void 0 ? new KnownListings() : void 0;
	}
	async children(place) {
		const directory = await this.#store.confined.directory(place);
		try {
			return await this.#childrenIn(directory, place);
		} finally {
			await directory?.close();
		}
	}
	async infos(place, enough) {
		const directory = await this.#store.confined.directory(place);
		if (directory === void 0) {
			await this.#childrenIn(directory, place);
			return { children: [] };
		}
		try {
			return await this.#remembered(directory) ?? await this.#looked(directory, place, enough);
		} finally {
			await directory.close();
		}
	}
	async #looked(directory, place, enough) {
		const look = await this.#known?.begin(directory.path);
		const listed = {
			found: [],
			isWhole: true
		};
		const locators = await this.#childrenIn(directory, place, (skipped) => {
			listed.isWhole = false;
			this.#options.onSkipped?.(skipped);
		});
		for (let i = 0; i < locators.length; i += lookedAtOnce) {
			if (enough()) return { children: listed.found };
			await this.#infosIn(directory, locators.slice(i, i + lookedAtOnce), listed);
		}
		const revision = look !== void 0 && listed.isWhole && listed.found.length > 0 ? this.#known?.keep(look, listed.found) : void 0;
		return {
			children: listed.found,
			...revision === void 0 ? {} : { revision }
		};
	}
	async #childrenIn(directory, place, onSkipped) {
		const { fs, identity } = this.#store;
		const options = {
			...this.#options,
			fs,
			...onSkipped === void 0 ? {} : { onSkipped }
		};
		const names = directory === void 0 ? [] : await listNames(directory.self, place, options);
		if (names.length === 0) await identity.check({ found: false });
		return names.map((name) => place.child(name));
	}
	async #infosIn(directory, locators, listed) {
		const { confined } = this.#store;
		const stats = await this.#statsIn(directory, locators.map(({ name }) => name));
		for (const [i, locator] of locators.entries()) {
			const there = stats[i];
			const isPlain = there !== void 0 && (there.isFile() || there.isDirectory()) && !confined.isParted;
			const info = isPlain ? infoOf(locator, there) : await this.#infoIfPresent(locator);
			if (info !== void 0) listed.found.push(info);
			if (!isPlain || !isToldOf(there)) listed.isWhole = false;
		}
	}
	/** By path as long as that certainly leads to the open directory, because it is quicker. */
	async #statsIn(directory, names) {
		const { fs, confined } = this.#store;
		const wayNow = async () => wayToDirectory(directory, confined.knownRoot, fs);
		const way = names.length < worthAPath ? void 0 : await wayNow();
		if (way !== void 0) {
			const stats = await fs.lstatAll(names.map((name) => `${directory.path}/${name}`));
			if (await wayNow() === way) return stats;
		}
		return fs.lstatAll(names.map((name) => directory.at(name)));
	}
	/**
	* Subdirectories are checked each time, because a change inside one changes its times and is not reported to whoever watches the parent.
	*/
	async #remembered(directory) {
		const remembered = await this.#known?.find(directory.path);
		if (remembered === void 0) return void 0;
		const { listing, revision, edited } = remembered;
		const files = edited.size === 0 ? [] : listing.filter(({ locator }) => edited.has(locator.name));
		if (files.length < edited.size) return void 0;
		const before = [...files, ...listing.filter((info) => "isDir" in info && info.isDir && !files.includes(info))];
		const listed = {
			found: [],
			isWhole: true
		};
		await this.#infosIn(directory, before.map(({ locator }) => locator), listed);
		if (!listed.isWhole || listed.found.length < before.length) return void 0;
		const now = new Map(listed.found.map((info) => [info.locator.key, info]));
		this.#known?.correct(remembered, now);
		if (before.every((info) => revisionOf(now.get(info.locator.key)) === revisionOf(info))) return {
			children: listing,
			revision
		};
		return { children: listing.map((info) => now.get(info.locator.key) ?? info) };
	}
	async #infoIfPresent(at) {
		try {
			return await this.#store.info(at);
		} catch (error) {
			if (isSeamError(error, "NOT_FOUND")) return void 0;
			if (isSeamError(error)) return {
				locator: at,
				refusal: error
			};
			throw error;
		}
	}
};
function revisionOf(info) {
	return info !== void 0 && "revision" in info ? info.revision : void 0;
}
function infoOf(locator, stats) {
	const isDir = stats.isDirectory();
	const revision = `${stats.ino}-${stats.ctimeNs}-${stats.mtimeNs}-${stats.size}`;
	return {
		locator,
		isDir,
		size: isDir ? 0 : Number(stats.size),
		mtime: Number(stats.mtimeNs) / 1e9,
		revision
	};
}
// packages/vault-lock/src/pure/fold-changes.ts
/**
* Combines several queued changes of one text into one. Each change gets the result of the change before it. If a change throws, or its
* text cannot be stored, it is skipped, and only its caller gets the error.
*/
function foldChanges(current, changes) {
	let text = current;
	const outcomes = changes.map((change) => {
		try {
			const next = change(text) ?? text;
			if (next?.isWellFormed() === false) throw new InvalidTextError("the changed text");
			text = next;
			return {
				ok: true,
				text
			};
		} catch (error) {
			return {
				ok: false,
				error
			};
		}
	});
	return {
		text,
		outcomes
	};
}
// packages/vault-lock/src/pure/liveness.ts
/**
* When the holder of a lock counts as dead. All programs that share a lock must use the same figures: a holder touches its lock at least
* every 5 s, and a lock that was not touched for more than 10 s has no holder.
*/
const staleMs = 1e4;
/** Twice as often as the protocol asks, so that a blocked event loop does not lose the lock at once. */
const heartbeatMs = 2500;
/**
* After this long without a heartbeat, a holder must check its lock before it continues, because other processes are about to take it over.
*/
const leaseMs = 9e3;
/** When a laptop wakes from sleep, the holder and its waiters wake together. The holder gets this long to send a heartbeat. */
const wakeMs = 20;
/**
* The coarsest rounding of a file time on any disk (2 s on FAT). A successor's first heartbeat is always further away than this, because it
* comes after `staleMs`.
*/
const coarsestMs = 2001;
/** Whether `mtimeNs` is the heartbeat written at `beat` (in milliseconds), after the rounding of the disk. */
function isHeartbeat(mtimeNs, beat) {
	return Math.abs(Number(mtimeNs) / 1e6 - beat) < coarsestMs;
}
/** A name for one state of one directory. A new heartbeat, or another directory in its place, gives another name. */
function identity(stats) {
	return `${stats.dev}-${stats.ino}-${stats.mtimeNs}`;
}
/** `unchangedMs` is how long this process has seen the same identity, by a monotonic clock. */
function isDead(ageMs, unchangedMs) {
	if (ageMs > 1e4) return unchangedMs >= wakeMs;
	return ageMs < 0 && unchangedMs > 9e3;
}
/**
* Whether the winner of a claim will no longer act on it: a winner acts within `staleMs / 2` or never. A time far in the future means that
* the clock was set back. Such a claim counts as abandoned, because waiting until that time could take hours.
*/
function isAbandoned(ageMs) {
	return Math.abs(ageMs) > staleMs;
}
/** How long to wait before the next check for a dead holder. */
function untilDeadMs(ageMs, unchangedMs) {
	if (ageMs > 1e4) return Math.max(1, wakeMs - unchangedMs);
	if (ageMs < 0) return Math.max(1, leaseMs - unchangedMs + 1);
	return staleMs - ageMs + 1;
}
// packages/vault-lock/src/pending-changes.ts
var PendingChanges = class {
	#batches = /* @__PURE__ */ new Map();
	/**
	* Calls `serve` only for the first change of a batch. `serve` must settle the whole batch; if it throws, every change of the batch fails.
	*/
	add(key, change, serve) {
		return new Promise((resolve, reject) => {
			const pending = {
				change,
				resolve,
				reject
			};
			const waiting = this.#batches.get(key);
			if (waiting !== void 0) {
				waiting.push(pending);
				return;
			}
			const batch = [pending];
			this.#batches.set(key, batch);
			serve(this.#offer(key, batch)).catch((error) => {
				this.#close(key, batch);
				for (const each of batch) each.reject(error);
			});
		});
	}
	#offer(key, batch) {
		return {
			take: () => {
				this.#close(key, batch);
				return batch.map(({ change }) => change);
			},
			settle: (outcomes) => {
				batch.forEach(({ resolve, reject }, i) => {
					const outcome = outcomes[i];
					if (outcome?.ok === true) resolve(outcome.text);
					else reject(outcome?.error);
				});
			}
		};
	}
	#close(key, batch) {
		if (this.#batches.get(key) === batch) this.#batches.delete(key);
	}
};
// packages/vault-lock/src/remove-file.ts
/**
* Deletes one file. The file is first moved into a directory of ours beside it, and deleted there. A process that takes the lock over
* removes that directory before it writes. So a process that was suspended can no longer move the successor's file away. If the moved file
* is not the one that was meant, it is moved back.
*/
/** Returns false, and changes nothing, if the name got another file at the last moment or the file is gone. */
async function removeFile(directory, name, removal, { fs, runtime }) {
	await sweepBeforeRemoval(directory, removal.hold, {
		fs,
		runtime
	});
	const own = temporaryName(tagOf(removal.hold), runtime.newId());
	const forget = fs.isSimulated ? void 0 : onDeath(() => putBackNow(directory.at(own)));
	try {
		const isRemoved = await whileInFlight(join(directory.path, own), fs, async () => removeThrough(directory, {
			own,
			name
		}, removal, fs));
		if (isRemoved) await directory.sync();
		return isRemoved;
	} finally {
		forget?.();
	}
}
async function removeThrough(directory, { own, name }, removal, fs) {
	let isRemoved = false;
	let away;
	try {
		await fs.mkdir(directory.at(own), { mode: 448 });
		away = await openDirectory(directory.at(own), fs, { followLink: false });
		await askLast(removal.hold, removal.confirm);
		const moved = away.at(name);
		if (!await isDone(fs.rename(directory.at(name), moved), removal.hold)) return false;
		await removal.hold.check();
		if (!await removal.isMeant(moved)) return false;
		if (!await isDone(fs.unlink(moved), removal.hold)) return false;
		isRemoved = await isGone(directory.at(name), removal, fs);
	} finally {
		await away?.close().catch(nothing$2);
		const leave = async () => isRemoved ? fs.rmdir(directory.at(own)) : putBack(directory, own, fs);
		await leave().catch(leave).catch(nothing$2);
	}
	return isRemoved;
}
const nothing$2 = () => {};
/**
* Deletes the moved file; after that nobody can put it back. Another process may have taken the lock over before, while this one was
* suspended.
*/
async function isGone(target, { hold, isMeant }, fs) {
	try {
		await askLast(hold);
		return true;
	} catch (error) {
		if (!(error instanceof LockLostError)) throw error;
		const [there] = await fs.lstatAll([target]);
		if (there === void 0) return true;
		if (await isMeant(target)) throw error;
		throw new LockLostError(error.lockDirectory, "another process took it over while this one removed a note, and wrote another one there, or changed that one", { isInDoubt: true });
	}
}
async function isDone(step, hold) {
	try {
		await step;
		return true;
	} catch (error) {
		if (!isErrno(error, "ENOENT")) throw error;
		await hold.check();
		return false;
	}
}
// packages/vault-lock/src/seen-text.ts
/**
* The text of one file and the file it was read from. The text is kept byte for byte (strict UTF-8, with byte order mark and line ends).
* The file stays open, because then no other file can get its inode number. So one check of the name and one of the bytes show whether the
* file is still the one that was read. Times and sizes alone do not show it: an editor that saves within one tick of the clock may change
* neither.
*/
const moreBytes = 4096;
var SeenText = class SeenText {
	text;
	#fs;
	#bytes;
	#stats;
	#open;
	#closed = Promise.resolve();
	constructor({ bytes, stats }, open, fs) {
		this.text = bytes.toString("utf8");
		this.#fs = fs;
		this.#bytes = bytes;
		this.#stats = stats;
		this.#open = open;
	}
	/** Closes the file only if it cannot be read. */
	static async read({ file }, at, fs) {
		try {
			return new SeenText(await readAll(file, at), file, fs);
		} catch (error) {
			await file.close().catch(() => {});
			throw error;
		}
	}
	/** Whether this name certainly still has this file with these bytes. May be called once; then the file is closed. */
	async isAt(name) {
		const open = this.#open;
		if (open === void 0) return false;
		const again = Buffer.allocUnsafe(this.#bytes.length);
		try {
			const [there] = await both(this.#fs.lstat(name), again.length === 0 ? void 0 : open.read(again, 0));
			const { dev, ino } = this.#stats;
			return there.dev === dev && there.ino === ino && Number(there.size) === again.length && again.equals(this.#bytes);
		} catch (error) {
			if (isErrno(error, "ENOENT", "ENOTDIR", "ELOOP")) return false;
			throw error;
		} finally {
			const closed = this.close();
			if (this.#fs.platform === "win32") await closed;
		}
	}
	async close() {
		if (this.#open !== void 0) this.#closed = this.#open.close().catch(() => {});
		this.#open = void 0;
		return this.#closed;
	}
};
async function readAll(open, at) {
	const stats = await open.stat();
	if (!stats.isFile()) throw new NotAFileError(at, stats.isDirectory() ? "a directory" : "no plain file");
	const bytes = await bytesOf(open, Number(stats.size));
	if (!isUtf8(bytes)) throw new CorruptTextError(at);
	return {
		bytes,
		stats
	};
}
/** Usually one call is enough. Some file systems return a file in pieces, and some do not know its size. */
async function bytesOf(open, size) {
	let bytes = Buffer.alloc(0);
	while (bytes.length !== size) {
		const more = Buffer.allocUnsafe(Math.max(size - bytes.length, moreBytes));
		const read = await open.read(more, bytes.length);
		if (read === 0) break;
		bytes = bytes.length === 0 ? more.subarray(0, read) : Buffer.concat([bytes, more.subarray(0, read)]);
	}
	return bytes;
}
// packages/vault-lock/src/store-identity.ts
/**
* Checks that the store is there and is still the same store. A drive that is not mounted leaves an empty directory behind, and only the
* store's marker file tells such a directory from a store without notes. Once the id is known, from the configuration or because this
* process has read it, the marker must exist. This check never creates a marker.
*/
const marker = new Locator(storeMarkerKey);
var StoreIdentity = class {
	#root;
	#fs;
	#confined;
	#parentMustExist;
	#known;
	#seen;
	#looked = false;
	constructor(root, confined, fs, { id, parentMustExist }) {
		this.#root = root;
		this.#fs = fs;
		this.#confined = confined;
		this.#known = id;
		this.#parentMustExist = parentMustExist;
	}
	/**
	* Throws `StoreUnavailableError` when the store is unavailable or another store is in its place. If no id is known, finding any file in
	* the store is enough.
	*/
	async check({ found }) {
		if (found && this.#looked && this.#known === void 0) return;
		await this.#compare();
		this.#looked = true;
	}
	/** To be called when the marker is written: the next check reads it again. */
	lookAgain() {
		this.#looked = false;
	}
	async #compare() {
		const changed = await this.#changeTime(path.join(this.#root, storeMarkerKey));
		if (changed !== void 0 && changed === this.#seen) return;
		const id = changed === void 0 ? void 0 : await this.#readMarker();
		if (id === void 0) await this.#refuseWithoutMarker();
		if (this.#known !== void 0 && id !== this.#known) throw new StoreUnavailableError(`the store at ${this.#root} has the id ${id ?? "(none)"}, not ${this.#known}. Mount the right store, or change the configuration to use this one.`);
		this.#known = id;
		this.#seen = changed;
	}
	async #refuseWithoutMarker() {
		const there = await this.#changeTime(this.#root);
		if (this.#known !== void 0) throw new StoreUnavailableError(there === void 0 ? `the store at ${this.#root} is away. Mount the drive or start the sync program that keeps it.` : `${this.#root} is there but holds no ${storeMarkerKey}, so it is not store ${this.#known}. Is the drive mounted?`);
		const parent = path.dirname(this.#root);
		if (there === void 0 && this.#parentMustExist && await this.#changeTime(parent) === void 0) throw new StoreUnavailableError(`neither ${this.#root} nor its parent directory exists. Mount the drive, or correct the path.`);
	}
	async #readMarker() {
		try {
			const opened = await this.#confined.open(marker);
			if (opened === void 0) return void 0;
			const seen = await SeenText.read(opened, marker, this.#fs);
			await seen.close();
			return parseStoreMarker(seen.text);
		} catch (error) {
			if (!isCorrupt(error)) throw error;
			throw new CorruptStoreMarkerError(path.join(this.#root, storeMarkerKey), { cause: error });
		}
	}
	async #changeTime(place) {
		try {
			return (await this.#fs.stat(place)).ctimeNs;
		} catch (error) {
			if (isErrno(error, "ENOENT", "ENOTDIR", "ELOOP")) return void 0;
			throw error;
		}
	}
};
function isCorrupt(error) {
	return isSeamError(error) && [
		"STORE_MARKER_CORRUPT",
		"CORRUPT_TEXT",
		"NOT_A_FILE"
	].includes(error.code);
}
// packages/vault-lock/src/real-path.ts
/**
* The real path of a file that need not exist: all links are followed, and parts that do not exist or cannot be read are kept as written.
* Node's own realpath throws for such a path and changes the case on macOS; either would give one vault two locks. `..` goes up from the
* target of the links before it. If links form a circle, the rest of the path is kept as written. On Windows, where `c:\\VAULT` and
* `C:\\Vault` are the same place, existing parts get the spelling on disk, as in the other implementations.
*/
/**
* The real path, with every link followed. Parts that do not exist are kept as written.
*
* @example
* ```ts
* import { nodeFileSystem, realPath } from '@agentm/vault-lock'
*
* console.log(await realPath('/nowhere/./a/../b', nodeFileSystem)) // /nowhere/b
* ```
*/
async function realPath(path, fs) {
	if (fs.platform === "win32") return spelledOnDisk(path, fs);
	const { path: found } = await follow(parse(path).root, path, /* @__PURE__ */ new Map(), fs);
	const text = normalize(found);
	return text.length > parse(text).root.length && text.endsWith(sep) ? text.slice(0, -1) : text;
}
async function spelledOnDisk(path, fs) {
	try {
		return await fs.realpath(path);
	} catch {
		return dirname(path) === path ? path : join(await spelledOnDisk(dirname(path), fs), basename(path));
	}
}
/** `links` maps each link on the way to its target, or to `undefined` while the target is being resolved. */
async function follow(from, text, links, fs) {
	const { root } = parse(text);
	let path = root === "" ? from : root;
	const names = text.slice(root.length).split(sep);
	for (const [i, name] of names.entries()) {
		if (name === "" || name === ".") continue;
		if (name === "..") {
			path = join(path, "..");
			continue;
		}
		const next = join(path, name);
		if (!await isLink(next, fs)) {
			path = next;
			continue;
		}
		const rest = names.slice(i + 1).join(sep);
		const known = links.get(next);
		if (known !== void 0) path = known;
		else if (links.has(next)) return {
			path: unresolved(next, rest),
			circular: true
		};
		else {
			links.set(next, void 0);
			const target = await follow(path, await fs.readlink(next), links, fs);
			if (target.circular) return {
				path: unresolved(target.path, rest),
				circular: true
			};
			links.set(next, target.path);
			path = target.path;
		}
	}
	return {
		path,
		circular: false
	};
}
/** After a doubled separator the rest counts as an absolute path, as in the Python implementation, which shares the lock. */
function unresolved(path, rest) {
	return rest.startsWith(sep) ? rest : `${path}${sep}${rest}`;
}
async function isLink(path, fs) {
	try {
		return (await fs.lstat(path)).isSymbolicLink();
	} catch {
		return false;
	}
}
// packages/vault-lock/src/lock-directory.ts
/**
* The directory that is the lock of a root: `<lock root>/<SHA-256 of the resolved root>/lock`. All spellings of a root give the same lock.
* It is outside the root, so no sync program replicates it. Creates nothing.
*/
/**
* The directory that is the lock of a root. All spellings of a root give the same lock. It lies outside the root.
* Creates nothing.
*
* @example
* ```ts
* import { filePath, lockDirectory } from '@agentm/vault-lock'
*
* const lock = await lockDirectory(filePath('/srv/vault'), filePath('/var/cache/locks'))
* console.log(lock.startsWith('/var/cache/locks/'), lock.endsWith('/lock')) // true true
* ```
*/
async function lockDirectory(root, lockRoot = defaultLockRoot(), fs = nodeFileSystem) {
	return lockIn(lockRoot, await realPath(root, fs));
}
function lockIn(lockRoot, resolved) {
	return filePath(join(lockRoot, createHash("sha256").update(resolved).digest("hex"), "lock"));
}
/** `$XDG_CACHE_HOME`, or `~/.cache` if that is not set, followed by `agentm/locks`. The environment is read at each call. */
function defaultLockRoot() {
	const cache = process.env["XDG_CACHE_HOME"];
	const base = cache === void 0 || cache === "" ? join(homedir() || "/", ".cache") : cache;
	if (base !== last?.base || !isAbsolute(base)) last = {
		base,
		lockRoot: filePath(resolve(base, "agentm", "locks"))
	};
	return last.lockRoot;
}
let last;
// packages/vault-lock/src/lock-place.ts
/**
* The lock that the writers of one directory share. Each writer takes the lock that its own environment names, because the Python
* implementation takes only that one. If the writers share another lock, it takes that one too. The first writer records the shared lock in
* the directory itself, because that is the only place that all writers surely share. A process that cannot take the shared lock does not
* write.
*/
const unrecorded = {
	state: "",
	standing: { kind: "unrecorded" },
	usedAt: 0
};
const damaged = {
	kind: "away",
	lock: "",
	by: "",
	why: "what is written there names no lock"
};
/** A record that cannot be parsed counts as unfinished for this long, because another process may be writing it. */
const unfinishedMs = 1e3;
var LockPlace = class {
	/** The lock that this process's environment names. */
	own;
	#root;
	#world;
	#file;
	#tag;
	#seen = unrecorded;
	/** When the record was last read, by the monotonic clock. */
	#lookedAt = -Infinity;
	#markedAt = -Infinity;
	/** `root` must be resolved: all links followed. */
	constructor(root, own, world) {
		this.#root = root;
		this.own = own;
		this.#world = world;
	}
	/** Identifies the directory in the names of temporary files, whichever lock they are written under. */
	get tag() {
		return this.#tag;
	}
	get found() {
		const { standing, usedAt } = this.#seen;
		return {
			file: this.#file,
			standing,
			usedAt
		};
	}
	/** All locks that must be held, always in the same order, so that no two processes wait for each other. */
	get locks() {
		const { standing } = this.#seen;
		return standing.kind === "both" ? [this.own, standing.lock].toSorted() : [this.own];
	}
	/** Checks which directory the root is now, because another one may have been mounted there. */
	async locate() {
		const [stats] = await this.#world.fs.lstatAll([this.#root]);
		if (stats === void 0 || !stats.isDirectory()) {
			this.#file = void 0;
			this.#seen = unrecorded;
			return;
		}
		const file = join(this.#root, placesName, placeRecordName(stats));
		if (file === this.#file) return;
		this.#file = file;
		this.#seen = unrecorded;
		this.#tag = createHash("sha256").update(`${stats.dev}-${stats.ino}`).digest("hex").slice(0, 10);
	}
	async look() {
		if (this.#file === void 0) return this.#seen.standing;
		this.#lookedAt = this.#world.runtime.monotonic();
		const [stats] = await this.#world.fs.lstatAll([this.#file]);
		if (stats === void 0) {
			this.#seen = unrecorded;
			return this.#seen.standing;
		}
		const now = stateOf(stats);
		if (now === this.#seen.state && await this.#isInPlace()) return this.#seen.standing;
		const record = stats.isFile() ? await this.#read(this.#file) : void 0;
		this.#seen = {
			state: now,
			standing: await this.#judge(record),
			usedAt: Number(stats.mtimeNs) / 1e6
		};
		return this.#seen.standing;
	}
	/** Records that the lock is in use, if that was not recorded recently, so that other processes do not give the place up. */
	async use() {
		const { fs, runtime } = this.#world;
		const { standing, usedAt } = this.#seen;
		if (this.#file === void 0 || standing.kind === "unrecorded" || standing.kind === "away") return;
		if (standing.kind === "here" && standing.isCleared) await fs.mkdir(join(dirname(this.own), tokenName(standing.token)), { recursive: true });
		const now = runtime.now();
		if (Math.abs(now - usedAt) < 15e3) return;
		this.#seen = {
			...this.#seen,
			usedAt: now
		};
		await fs.utimes(this.#file, now / 1e3, now / 1e3).catch(() => {});
	}
	/**
	* Called before waiting for a lock. Waits until there is a lock that this process can take, or throws an error that says why there is
	* none.
	*/
	async meet(untilDeadline, signal) {
		const { runtime } = this.#world;
		for (;;) {
			const standing = await this.look();
			if (standing.kind !== "away") return;
			const unusedMs = Math.abs(runtime.now() - this.#seen.usedAt);
			const leftMs = standing === damaged && unusedMs < unfinishedMs ? 20 : placeLeaseMs - unusedMs;
			if (leftMs < 0) await this.#replace(signal);
			else if (leftMs > untilDeadline()) throw this.#elsewhere(standing, unusedMs);
			else await runtime.sleep(Math.min(leftMs + 1, placeSettleMs), signal);
			signal?.throwIfAborted();
		}
	}
	/** Whether work may start under these locks: they are the locks that all writers share, or no lock is recorded. */
	async mayBegin(locks, hold) {
		const { kind } = await this.look();
		if (kind === "unrecorded" && !await this.#isStore()) return true;
		return this.#isMet(kind, locks, hold);
	}
	/** Whether the held locks are still the ones that all writers share. If no lock is recorded yet, the holder records its own. */
	async mayChange(locks, hold) {
		if (this.#file === void 0) await this.locate();
		const { kind } = this.#isFresh() ? this.#seen.standing : await this.look();
		return this.#isMet(kind, locks, hold);
	}
	/** Whether the record was read recently enough. A process that replaces the record waits for longer than this before it writes. */
	#isFresh() {
		const { kind } = this.#seen.standing;
		return (kind === "here" || kind === "both") && this.#world.runtime.monotonic() - this.#lookedAt < 250;
	}
	async #isMet(kind, locks, hold) {
		if (kind === "away") return false;
		if (kind === "unrecorded") return this.#record(hold);
		if (!this.locks.every((lock) => locks.includes(lock))) return false;
		await this.use();
		if (this.#file !== void 0) await sweepRemnants(dirname(this.#file), hold, this.#world);
		return true;
	}
	/** Whether the directory contains anything. An empty directory is not written to, because it may be the mount point of a drive. */
	async #isStore() {
		if (this.#file === void 0) return false;
		const [stats] = await this.#world.fs.lstatAll([join(this.#root, "_meta")]);
		return stats?.isDirectory() === true;
	}
	/** Checks the lock of another environment each time, because it may be unmounted. */
	async #isInPlace() {
		const { standing } = this.#seen;
		const now = this.#world.runtime.monotonic();
		if (standing.kind === "both") return isMarked(standing.lock, standing.token, this.#world);
		if (standing.kind !== "here") return false;
		if (now - this.#markedAt < 1e3) return true;
		this.#markedAt = now;
		return isMarked(this.own, standing.token, this.#world);
	}
	async #read(file) {
		try {
			return parsePlaceRecord(Buffer.from(await this.#world.fs.readFile(file)).toString("utf8"));
		} catch (error) {
			if (isErrno(error, "ENOENT", "EACCES", "EPERM")) return void 0;
			throw error;
		}
	}
	/**
	* Checks that the recorded path leads to the recorded lock. For this process it may lead elsewhere or nowhere; the file beside the lock
	* proves that it is the right one.
	*/
	async #judge(record) {
		if (record === void 0) return damaged;
		const { token, by } = record;
		const lock = record.lock;
		const { fs, runtime } = this.#world;
		if (await isMarked(this.own, token, this.#world)) return {
			kind: "here",
			token,
			isCleared: false
		};
		if (lock !== this.own && await isMarked(lock, token, this.#world)) {
			if (await fs.mayWrite(dirname(lock))) return {
				kind: "both",
				token,
				lock
			};
			return {
				kind: "away",
				lock,
				by,
				why: `this user may not write to ${dirname(lock)}`
			};
		}
		const { view } = runtime.surroundings();
		if (lock === this.own && view === record.view && view !== "") return {
			kind: "here",
			token,
			isCleared: true
		};
		return {
			kind: "away",
			lock,
			by,
			why: "for this process that path leads elsewhere or nowhere"
		};
	}
	/** Records the lock of this process. Returns whether all writers take it from now on. */
	async #record(hold) {
		const file = this.#file;
		if (file === void 0) return true;
		const { fs } = this.#world;
		try {
			const draft = await this.#draft(file, tagOf(hold));
			try {
				await fs.link(draft.path, file);
			} catch (error) {
				if (!isErrno(error, ...noSecondNames)) throw error;
				await writeNew(file, draft.text, this.#world);
			} finally {
				await discard(draft.path, this.#world);
			}
		} catch (error) {
			if (!isErrno(error, "EEXIST", "ENOENT")) throw this.#cannotRecord(error);
		}
		const { kind } = await this.look();
		return kind === "here";
	}
	/** Replaces the record, because the recorded lock was unused for long or this process cannot reach it. */
	async #replace(signal) {
		const file = this.#file;
		if (file === void 0) return;
		const { fs, runtime } = this.#world;
		const began = runtime.monotonic();
		try {
			const draft = await this.#draft(file, this.#tag ?? "unlocked00");
			try {
				const [now] = await fs.lstatAll([file]);
				if (!(now !== void 0 && stateOf(now) === this.#seen.state) || runtime.monotonic() - began > 500) return;
				await fs.rename(draft.path, file);
			} finally {
				await discard(draft.path, this.#world);
			}
		} catch (error) {
			if (isErrno(error, "ENOENT")) return;
			throw this.#cannotRecord(error);
		}
		await runtime.sleep(placeSettleMs, signal);
	}
	async #draft(file, tag) {
		const { fs, runtime } = this.#world;
		const directory = dirname(file);
		const [there] = await fs.lstatAll([directory]);
		if (there !== void 0 && !there.isDirectory()) throw new LockBlockedError(this.own, `${directory} is no directory, and no link to one will do. Move it away.`);
		const token = await this.#token();
		if (there === void 0) {
			await fs.mkdir(directory, { recursive: true });
			await writeNew(join(directory, ".gitignore"), "*\n", this.#world).catch(() => {});
		}
		const { view, name } = runtime.surroundings();
		const text = formatPlaceRecord({
			lock: this.own,
			token,
			view,
			by: name
		});
		const path = join(directory, temporaryName(tag, runtime.newId()));
		await writeNew(path, text, this.#world);
		return {
			path,
			text
		};
	}
	/** The token of the lock. The first process that needs it creates it. */
	async #token() {
		const { fs, runtime } = this.#world;
		const home = dirname(this.own);
		await fs.mkdir(home, { recursive: true });
		for (const name of (await fs.readdir(home)).toSorted()) {
			const token = tokenIn(name);
			if (token !== void 0) return token;
		}
		const token = runtime.newId();
		await fs.mkdir(join(home, tokenName(token)));
		return token;
	}
	#cannotRecord(cause) {
		if (!isErrno(cause, "EACCES", "EPERM", "EROFS")) return cause;
		return new LockBlockedError(this.own, `which lock everybody takes for ${this.#root} cannot be written down in ${join(this.#root, placesName)} (${cause.code}). Make that a directory you may write to.`, { cause });
	}
	#elsewhere({ lock, by, why }, unusedMs) {
		return new LockElsewhereError(this.own, {
			root: this.#root,
			recorded: lock,
			by,
			why,
			unusedMs,
			leaseMs: placeLeaseMs,
			file: this.#file ?? ""
		});
	}
};
function stateOf(stats) {
	return `${identity(stats)}-${stats.size}`;
}
async function isMarked(lock, token, { fs }) {
	try {
		const [stats] = await fs.lstatAll([join(dirname(lock), tokenName(token))]);
		return stats?.isDirectory() === true;
	} catch (error) {
		if (isErrno(error, "EACCES", "EPERM")) return false;
		throw error;
	}
}
async function writeNew(path, text, { fs }) {
	const file = await fs.open(path, "wx", 438);
	try {
		await file.writeFile(Buffer.from(text));
	} finally {
		await file.close();
	}
}
/** Removes a file. If that fails, a later sweep removes it. */
async function discard(path, { fs }) {
	await fs.unlink(path).catch(() => fs.unlink(path)).catch(() => {});
}
// packages/vault-lock/src/making.ts
/**
* A lock directory is created by one system call and gets the name of its process by a second one. A process that finds a lock without a
* name cannot tell whether its maker was killed between the two calls, is about to make the second one, or is a program that records no
* names. Therefore each process of this package announces, by a directory beside the lock, that it is about to create a lock. It also marks
* the lock directory with the sticky bit, which no umask removes and which has no effect on an empty directory.
*/
/** The mode for `mkdir` while its maker is announced. */
const markedMode = 1023;
const prefix$1 = "making-";
/** A process removes its announcement after it has made nothing for this long. */
const idleMs = 200;
/** Announces this process while `make` creates a directory in `home` with the given mode and names it. */
async function whileMaking(home, world, make) {
	const name = world.runtime.processes.self();
	if (name === void 0 || !await world.fs.isOurs(home)) return make({});
	const announcement = announcementOf(home, world);
	try {
		await announcement.raise(name);
	} catch {
		return make({});
	}
	try {
		return await make({
			name,
			mode: markedMode
		});
	} finally {
		await announcement.lower(name);
	}
}
/** Whether a process of this package created this directory and was killed before it could name it. */
async function isOfDeadMaker(stats, home, { fs, runtime }) {
	if (!isUnnamed(stats)) return false;
	let found = false;
	for (const name of await fs.readdir(home)) {
		if (!name.startsWith(prefix$1)) continue;
		const announced = await statsOf(join(home, name), fs);
		if (announced === void 0 || !isRaised(announced)) continue;
		if (!isOfEnded(announced, runtime.processes)) return false;
		found = true;
	}
	return found;
}
/**
* Removes the announcements of dead processes, unless a directory without a name is left that one of them may have made. Without the
* announcement nobody could tell that its maker is dead. The directories are checked after the processes, because a dead process can no
* longer create one.
*/
async function sweepAnnouncements(home, world) {
	const { fs, runtime } = world;
	const over = [];
	for (const name of await fs.readdir(home)) {
		if (!name.startsWith(prefix$1)) continue;
		const stats = await statsOf(join(home, name), fs);
		if (stats === void 0) continue;
		if (Math.abs(runtime.now() - Number(stats.mtimeMs)) > 6e4 || isOfEnded(stats, runtime.processes)) over.push(join(home, name));
	}
	if (over.length === 0 || await hasUnnamed(home, fs)) return;
	for (const place of over) await fs.rmdir(place).catch(() => {});
}
/** Whether a process of this package created a directory here that still has no name. */
async function hasUnnamed(home, fs) {
	for (const name of await fs.readdir(home)) {
		const stats = name.startsWith(prefix$1) ? void 0 : await statsOf(join(home, name), fs);
		if (stats !== void 0 && isUnnamed(stats)) return true;
	}
	return false;
}
function isUnnamed(stats) {
	return (Number(stats.mode) & 512) !== 0 && processOf(stats) === void 0;
}
async function statsOf(place, fs) {
	return fs.lstat(place).catch(() => void 0);
}
/** One entry for each file system. Only tests use another file system than the real one. */
const announcements = /* @__PURE__ */ new WeakMap();
function announcementOf(home, world) {
	const known = announcements.get(world.fs) ?? /* @__PURE__ */ new Map();
	announcements.set(world.fs, known);
	const announcement = known.get(home) ?? new Announcement(home, world);
	known.set(home, announcement);
	return announcement;
}
/** An empty directory whose times contain the name of its process. */
var Announcement = class {
	#home;
	#world;
	#made;
	#raised = 0;
	#lowered = 0;
	/** When this process last checked that the directory exists. */
	#looked = -Infinity;
	#waiting = false;
	constructor(home, world) {
		this.#home = home;
		this.#world = world;
	}
	async raise(name) {
		this.#raised += 1;
		try {
			const { descriptor } = await this.#inPlace();
			await this.#show(descriptor, name, true);
		} catch (error) {
			this.#rest();
			throw error;
		}
	}
	async lower(name) {
		if (this.#rest() > 0) return;
		try {
			const made = await this.#made;
			if (made !== void 0) await this.#show(made.descriptor, name, false);
		} catch {}
	}
	/** Ends one announced creation, and returns how many are still running in this process. */
	#rest() {
		this.#raised -= 1;
		this.#lowered = this.#world.runtime.monotonic();
		if (this.#raised === 0 && !this.#waiting) this.#withdrawSoon();
		return this.#raised;
	}
	async #show(descriptor, name, isUp) {
		const { accessed, modified } = heartbeat(announcedMs(this.#world.runtime.now(), isUp), name);
		await descriptor.utimes(accessed, modified);
	}
	/** Creates the directory again if somebody has cleared the cache. */
	async #inPlace() {
		const made = await this.#made?.catch(() => void 0);
		const now = this.#world.runtime.monotonic();
		if (made !== void 0 && now - this.#looked < idleMs) return made;
		this.#looked = now;
		if (made !== void 0 && (await made.descriptor.stat()).nlink > 0n) return made;
		if (made !== void 0) await forget(made);
		this.#made = this.#make();
		return this.#made;
	}
	async #make() {
		const { fs, runtime } = this.#world;
		const place = join(this.#home, `${prefix$1}${runtime.newId()}`);
		await fs.mkdir(place).catch(async (error) => {
			if (!isErrno(error, "ENOENT")) throw error;
			await fs.mkdir(this.#home, { recursive: true });
			await fs.mkdir(place);
		});
		const undo = fs.isSimulated ? () => {} : onDeath(() => rmdirSync(place));
		try {
			return {
				descriptor: await fs.open(place, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW),
				forget: undo,
				place
			};
		} catch (error) {
			undo();
			await fs.rmdir(place).catch(() => {});
			throw error;
		}
	}
	async #withdrawSoon() {
		this.#waiting = true;
		const { fs, runtime } = this.#world;
		for (let leftMs = idleMs; leftMs > 0;) {
			await runtime.sleep(leftMs, void 0, { keepsAlive: false });
			leftMs = this.#raised > 0 ? idleMs : this.#lowered + idleMs - runtime.monotonic();
		}
		this.#waiting = false;
		const made = this.#made;
		this.#made = void 0;
		announcements.get(fs)?.delete(this.#home);
		const gone = await made?.catch(() => void 0);
		if (gone === void 0) return;
		await fs.rmdir(gone.place).catch(() => {});
		await forget(gone);
	}
};
async function forget({ descriptor, forget: undo }) {
	undo();
	await descriptor.close().catch(() => {});
}
// packages/vault-lock/src/election.ts
/**
* An election of the one process that may act on a lock that looks dead. A process that wants to remove the lock, or is its late holder and
* wants to continue, first makes a directory beside it. The directory's name is derived from the state of the lock, so only one process can
* make it. Without the election, a slow waiter could remove a lock that a faster one has made in the meantime. If a winner dies, or its
* claim becomes stale, the next generation of the name allows a new election.
*/
const prefix = "dead-";
/** Returns whether `decide` ran. `decide` must not act any more once `inTime` returns false. */
async function elect(lockDirectory, state, { fs, runtime }, decide) {
	const started = runtime.monotonic();
	const claimed = await claim(join(dirname(lockDirectory), `${prefix}${state}`), {
		fs,
		runtime
	});
	if (claimed === void 0) return false;
	try {
		await decide(() => runtime.monotonic() - started < staleMs / 2);
	} finally {
		await fs.rmdir(claimed).catch(() => {});
	}
	return true;
}
async function claim(base, world) {
	const { fs, runtime } = world;
	const home = dirname(base);
	for (let generation = 0;; generation++) {
		const place = `${base}.${generation}`;
		try {
			await whileMaking(home, world, (mark) => makeClaim(place, world, mark));
			return place;
		} catch (error) {
			if (!isErrno(error, "EEXIST")) throw error;
		}
		try {
			const stats = await fs.lstat(place);
			if (!(isAbandoned(runtime.now() - Number(stats.mtimeMs)) || isOfEnded(stats, runtime.processes) || await isOfDeadMaker(stats, home, world))) return void 0;
		} catch (error) {
			if (isErrno(error, "ENOENT")) return void 0;
			throw error;
		}
	}
}
async function makeClaim(place, { fs, runtime }, { name, mode }) {
	const started = runtime.monotonic();
	await fs.mkdir(place, mode === void 0 ? {} : { mode });
	if (name === void 0 || runtime.monotonic() - started > 5e3) return;
	const { accessed, modified } = heartbeat(runtime.now(), name);
	await fs.utimes(place, accessed, modified).catch(() => {});
}
/** Removes claims of winners that died. A claim on a lock state that no longer exists decides nothing. */
async function sweepClaims(lockDirectory, { fs, runtime }) {
	const home = dirname(lockDirectory);
	const current = await fs.lstat(lockDirectory).then(identity, () => "");
	for (const name of await fs.readdir(home)) {
		if (!name.startsWith(prefix) || name.startsWith(`${prefix}${current}.`)) continue;
		const claimed = join(home, name);
		const stats = await fs.lstat(claimed).catch(() => void 0);
		if (stats !== void 0 && Math.abs(runtime.now() - Number(stats.mtimeMs)) > 6e4) await fs.rmdir(claimed).catch(() => {});
	}
}
// packages/vault-lock/src/heart.ts
/**
* One timer sends the heartbeats of all locks that this process holds, because one timer per lock would cost more than taking the lock. The
* first heartbeat of a lock comes early. The timer stops when no lock is held.
*/
/** One entry for each clock. Only tests use another clock than the real one. */
const hearts = /* @__PURE__ */ new WeakMap();
function keepAlive(lock, runtime) {
	const heart = hearts.get(runtime) ?? {
		held: /* @__PURE__ */ new Set(),
		isRunning: false
	};
	hearts.set(runtime, heart);
	heart.held.add(lock);
	if (!heart.isRunning) run(heart, runtime);
}
function letDie(lock, runtime) {
	hearts.get(runtime)?.held.delete(lock);
}
async function run(heart, runtime) {
	heart.isRunning = true;
	while (heart.held.size > 0) {
		await runtime.sleep(heartbeatMs, void 0, { keepsAlive: false });
		for (const lock of heart.held) lock.beat();
	}
	heart.isRunning = false;
}
// packages/vault-lock/src/held-lock.ts
/**
* A lock that this process created, from its creation to its release. The process keeps the lock directory open and knows it by its inode
* number. While it is open, no other directory can get the number, so a heartbeat or a release never touches the lock of another process.
* Windows cannot open directories; there the number and the time of our last heartbeat distinguish our lock from a successor's. The birth
* time is not used, because some kernels report the time of the last change instead. Nothing is ever put inside the lock directory, because
* other implementations could not remove it then.
*/
const releaseTries = 3;
var HeldLock = class {
	lockDirectory;
	/** Changes whenever a process of this package finds a dead holder of this lock. */
	deaths;
	/** True once another process has taken the lock. It never becomes false again. */
	lost = false;
	#world;
	#making;
	/** The heartbeat that is being written. */
	#beating;
	#reviving;
	#beat;
	constructor(world, made, deaths) {
		this.lockDirectory = made.lockDirectory;
		this.deaths = deaths;
		this.#world = world;
		this.#making = made;
		this.#beat = made.since;
		keepAlive(this, world.runtime);
	}
	/** Whether the last heartbeat is so old that another process may have taken the lock over. */
	get late() {
		return elapsed(this.#beat, this.#world) > leaseMs;
	}
	/** Checks the lock on disk. A holder whose heartbeat is late must win an election for its own lock, like any other process. */
	async isOurs() {
		if (this.lost) return false;
		const ours = this.late ? await this.#revive() : await this.#isInPlace();
		if (!ours) this.lost = true;
		return ours;
	}
	async release() {
		letDie(this, this.#world.runtime);
		if (this.#beating !== void 0) await this.#beating;
		for (let tried = 0; tried < releaseTries && !await this.#removed(); tried++) await this.#world.runtime.sleep(5 * tried);
		await abandon(this.#making);
	}
	/** A failure here does not affect the finished work, because a lock that cannot be removed expires after seconds. */
	async #removed() {
		try {
			if (!await this.isOurs()) return true;
			if (this.late) return false;
			await this.#world.fs.rmdir(this.lockDirectory);
			return true;
		} catch {
			return false;
		}
	}
	async #isInPlace() {
		try {
			return isOurs(await this.#world.fs.lstat(this.lockDirectory), this.#making);
		} catch (error) {
			if (isErrno(error, "ENOENT", "ENOTDIR")) return false;
			throw error;
		}
	}
	async #revive() {
		this.#reviving ??= this.#winBack().finally(() => this.#reviving = void 0);
		return this.#reviving;
	}
	async #winBack() {
		if (!await this.#isInPlace()) return false;
		const state = identity(await this.#world.fs.lstat(this.lockDirectory));
		let won = false;
		await elect(this.lockDirectory, state, this.#world, async (inTime) => {
			if (!await this.#isInPlace() || !inTime()) return;
			await this.#touch();
			won = await this.#isInPlace();
		});
		return won;
	}
	beat() {
		if (this.lost || this.#beating !== void 0) return;
		this.#beating = this.#touchIfOurs().finally(() => this.#beating = void 0);
	}
	async #touchIfOurs() {
		try {
			if (await this.isOurs()) await this.#touch();
		} catch {}
	}
	async #touch() {
		const since = moment(this.#world);
		await touch(this.#making, since, this.#world);
		this.#beat = since;
	}
};
/** Creates the lock. Returns `undefined` if another process took it over before it was confirmed. Throws the error of `mkdir`. */
async function makeLock(lockDirectory, world) {
	const making = whileMaking(dirname(lockDirectory), world, (mark) => make(lockDirectory, world, mark));
	return world.fs.isSimulated ? making : beforeDeath(making);
}
async function make(lockDirectory, world, { name, mode }) {
	const since = moment(world);
	const making = {
		lockDirectory,
		since,
		beats: [],
		name,
		inode: void 0,
		descriptor: void 0,
		forget: () => {}
	};
	await world.fs.mkdir(lockDirectory, mode === void 0 ? {} : { mode });
	if (!world.fs.isSimulated) making.forget = onDeath(() => undo(making, world));
	try {
		const [, deaths] = await both(identify(making, world), lastDeath(lockDirectory, world));
		if (elapsed(since, world) <= 9e3) return new HeldLock(world, making, deaths ?? 0n);
		await abandon(making);
		return;
	} catch (error) {
		const taken = isErrno(error, "ENOENT");
		if (!taken && elapsed(since, world) <= 9e3) await world.fs.rmdir(lockDirectory).catch(() => {});
		await abandon(making);
		if (taken) return void 0;
		throw error;
	}
}
async function identify(making, world) {
	const { lockDirectory, since } = making;
	const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
	if (world.fs.platform !== "win32") making.descriptor = await world.fs.open(lockDirectory, flags);
	if (elapsed(since, world) > 9e3) return;
	await touch(making, since, world);
	const { dev, ino, ...times } = await (making.descriptor?.stat() ?? world.fs.lstat(lockDirectory));
	making.inode = {
		dev,
		ino
	};
	if (making.name === void 0 || isSameProcess(processOf(times), making.name)) return;
	making.name = void 0;
	await touch(making, since, world);
}
async function touch(making, { wall }, { fs }) {
	const { lockDirectory, descriptor, name } = making;
	const { accessed, modified } = heartbeat(wall, name);
	making.beats = [...making.beats.slice(-1), wall];
	await (descriptor === void 0 ? fs.utimes(lockDirectory, accessed, modified) : descriptor.utimes(accessed, modified));
	making.beats = [wall];
}
async function abandon({ descriptor, forget }) {
	forget();
	await descriptor?.close().catch(() => {});
}
/** Runs while the process is ending, so it is synchronous. */
function undo(making, world) {
	const { lockDirectory, inode, since } = making;
	if (inode === void 0 ? elapsed(since, world) <= 9e3 : isOurs(lstatSync(lockDirectory, { bigint: true }), making)) rmdirSync(lockDirectory);
}
const deathsOf = (lockDirectory) => join(dirname(lockDirectory), "deaths");
async function lastDeath(lockDirectory, { fs }) {
	const [deaths] = await fs.lstatAll([deathsOf(lockDirectory)]);
	return deaths?.mtimeNs ?? 0n;
}
function isOurs({ dev, ino, mtimeNs }, { inode, descriptor, beats }) {
	if (dev !== inode?.dev || ino !== inode.ino) return false;
	return descriptor !== void 0 || beats.some((beat) => isHeartbeat(mtimeNs, beat));
}
function moment({ runtime }) {
	return {
		wall: runtime.now(),
		monotonic: runtime.monotonic()
	};
}
/** Uses the clock that advanced further, because one clock stops while the machine sleeps and the other may be set back. */
function elapsed(since, world) {
	const { wall, monotonic } = moment(world);
	return Math.max(wall - since.wall, monotonic - since.monotonic);
}
// packages/vault-lock/src/pure/rest.ts
const sustainedMs = 4e3;
/** How long a process pauses after it has used a lock without a break for `usedMs`. */
function restMs(usedMs, asked) {
	if (usedMs >= sustainedMs) return 210;
	return asked ? 18 : 1;
}
// packages/vault-lock/src/take-lock.ts
const gone = {
	ageMs: 0,
	againMs: 0
};
async function takeLock(lockDirectory, world, sighting) {
	try {
		return await makeWithHome(lockDirectory, world) ?? gone;
	} catch (error) {
		if (isErrno(error, "EEXIST")) return look(lockDirectory, world, sighting);
		if (isErrno(error, "ENOENT")) return gone;
		if (world.fs.platform === "win32" && isErrno(error, "EPERM", "EACCES")) return {
			ageMs: 0,
			againMs: 50
		};
		throw cannotMake(lockDirectory, error);
	}
}
/** Checks the lock before the attempt, because after the first attempt a check costs all processes less than another attempt. */
async function retakeLock(lockDirectory, world, sighting) {
	const busy = await look(lockDirectory, world, sighting);
	return busy === gone ? takeLock(lockDirectory, world, sighting) : busy;
}
async function makeWithHome(lockDirectory, world) {
	try {
		return await makeLock(lockDirectory, world);
	} catch (error) {
		if (!isErrno(error, "ENOENT")) throw error;
	}
	const home = dirname(lockDirectory);
	await world.fs.mkdir(home, { recursive: true }).catch((error) => {
		throw cannotMake(lockDirectory, error);
	});
	return makeLock(lockDirectory, world);
}
async function look(lockDirectory, world, sighting) {
	const stats = await world.fs.lstat(lockDirectory).catch((error) => {
		if (isErrno(error, "ENOENT")) return void 0;
		throw cannotMake(lockDirectory, error);
	});
	if (stats === void 0) return gone;
	if (!stats.isDirectory()) throw blocked(lockDirectory, stats.isSymbolicLink() ? "a symbolic link" : "not a directory");
	const now = world.runtime.monotonic();
	const state = identity(stats);
	if (sighting.identity !== state) Object.assign(sighting, {
		identity: state,
		since: now
	});
	const ageMs = world.runtime.now() - Number(stats.mtimeNs) / 1e6;
	const unchangedMs = now - sighting.since;
	if (!(isDead(ageMs, unchangedMs) || isOfEnded(stats, world.runtime.processes) || await isOfDeadMaker(stats, dirname(lockDirectory), world))) return {
		ageMs,
		againMs: untilDeadMs(ageMs, unchangedMs)
	};
	return await bury(lockDirectory, stats, world) ? gone : {
		ageMs,
		againMs: 5
	};
}
async function bury(lockDirectory, dead, world) {
	const { fs } = world;
	const state = identity(dead);
	return elect(lockDirectory, state, world, async (inTime) => {
		await noteDeath(deathsOf(lockDirectory), world);
		try {
			const now = await fs.lstat(lockDirectory);
			if (!(identity(now) === state && isSameProcess(processOf(now), processOf(dead))) || !inTime()) return;
			await fs.rmdir(lockDirectory);
		} catch (error) {
			if (isErrno(error, "ENOENT")) return;
			if (isErrno(error, "ENOTEMPTY", "EEXIST")) throw blocked(lockDirectory, "not empty", error);
			throw cannotMake(lockDirectory, error);
		}
		await sweepClaims(lockDirectory, world).catch(() => {});
		await sweepAnnouncements(dirname(lockDirectory), world).catch(() => {});
	});
}
/** Changes the time of the `deaths` directory, so that all processes notice that a writer has died and remove the files it left. */
async function noteDeath(deaths, { fs, runtime }) {
	const now = runtime.now() / 1e3;
	await fs.mkdir(deaths, { recursive: true });
	try {
		await fs.utimes(deaths, now, now);
	} catch (error) {
		if (!isErrno(error, "EPERM", "EACCES")) throw error;
		await fs.rmdir(deaths).catch(() => {});
		await fs.mkdir(deaths, { recursive: true });
	}
}
function blocked(lockDirectory, what, cause) {
	return new LockBlockedError(lockDirectory, `${lockDirectory} is ${what}, and a lock is an empty directory. Look at what it is, then remove it.`, { cause });
}
function cannotMake(lockDirectory, cause) {
	if (!isErrno(cause, "EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", "ELOOP", "ENAMETOOLONG")) return cause;
	const place = dirname(dirname(lockDirectory));
	return new LockBlockedError(lockDirectory, `the ${basename(lockDirectory)} ${lockDirectory} cannot be made or removed (${cause.code}). Make ${place} a directory you may write to. Programs of the Python implementation take the lock there, and no other.`, { cause });
}
// packages/vault-lock/src/turns.ts
/**
* Gives other processes their turn. A waiting process puts a mark beside the lock. A process that has used a full hold and finds the mark
* pauses for longer than any process of this package sleeps between two attempts. The Python implementation leaves no mark and sleeps up to
* 200 ms, so after long unbroken use the pause is long enough for it too.
*/
var Turns = class {
	#mark;
	#world;
	#since = 0;
	#until = 0;
	constructor(lockDirectory, world) {
		this.#mark = join(dirname(lockDirectory), "waiting");
		this.#world = world;
	}
	/** Puts the mark that this process waits. If that fails, the process only waits longer. */
	async ask() {
		await this.#world.fs.mkdir(this.#mark).catch(() => {});
	}
	/** Whether another process has put the mark. Removes the mark. */
	async isAsked() {
		return this.#world.fs.rmdir(this.#mark).then(() => true, () => false);
	}
	/** How long to pause after a full hold that began at `began` and was just released. */
	async rest(began) {
		const now = this.#world.runtime.monotonic();
		if (began - this.#until > 50) this.#since = began;
		const rest = restMs(now - this.#since, await this.isAsked());
		if (rest > 50) this.#since = now + rest;
		this.#until = now + rest;
		return rest;
	}
};
// packages/vault-lock/src/lock-queue.ts
/**
* The queue of all callers in this process that want one lock, in the order they asked. One acquisition serves as many callers as fit into
* a hold of limited length. After a full hold, or many short ones in a row, the lock is left free for a while, so that other processes get
* their turn. The lock is released before the last caller gets its result, because that caller may then block this process for long, for
* example while it waits for a child process that needs the lock.
*/
const holdMs = 200;
/** Two holds with a shorter pause between them count as one. */
const gapMs = 5;
const firstPollMs = 1;
const lastTryMs = 250;
/** A job gets a timer only after this time. Most jobs are served sooner, and a timer for each would cost more than the lock. */
const untimedMs = 20;
const freeTries = 3;
const triesPerAsking = 8;
const longestTimerMs = 2 ** 31 - 1;
/** A fixed abort reason, because without one each abort creates an error with a stack. */
const over = "over";
var LockQueue = class {
	#lockDirectory;
	#world;
	#sighting = {
		identity: "",
		since: 0
	};
	#turns;
	#jobs = [];
	#serving = false;
	#holding = false;
	#isTiming = false;
	/** Age of the last heartbeat seen on another holder's lock. */
	#ageMs = 0;
	#restUntil = 0;
	/** When the first of the holds that count as one began, and when the last hold ended. */
	#began = 0;
	#releasedAt = -Infinity;
	constructor(lockDirectory, world) {
		this.#lockDirectory = lockDirectory;
		this.#world = world;
		this.#turns = new Turns(lockDirectory, world);
	}
	/** Whether the lock is held, is being waited for, or was just released. */
	get isRecent() {
		return this.#serving || this.#world.runtime.monotonic() - this.#releasedAt < gapMs;
	}
	run(work, waiting) {
		return new Promise((resolve, reject) => {
			const job = this.#admit(waiting, reject, async (lock) => {
				const hold = new JobHold(waiting.root, this.#lockDirectory, lock);
				const settle = await outcomeOf(work, hold);
				hold.end();
				return () => settle(resolve, reject);
			});
			this.#jobs.push(job);
			waiting.timeoutMs < untimedMs ? this.#time(job) : this.#timeSoon();
			if (!this.#serving) this.#serve();
		});
	}
	#admit({ timeoutMs, signal }, reject, start) {
		const deadline = this.#world.runtime.monotonic() + timeoutMs;
		const remove = () => {
			const at = this.#jobs.indexOf(job);
			if (at >= 0) this.#jobs.splice(at, 1);
		};
		const job = {
			timeoutMs,
			deadline,
			isTimed: false,
			waited: void 0,
			run(lock) {
				job.waited?.abort(over);
				return start(lock);
			},
			refuse(reason) {
				job.waited?.abort(over);
				remove();
				reject(reason);
			}
		};
		if (signal !== void 0) {
			job.waited = new AbortController();
			signal.addEventListener("abort", () => job.refuse(signal.reason), {
				once: true,
				signal: job.waited.signal
			});
		}
		return job;
	}
	/** Starts the timers of jobs that wait behind other work of this process, or for a disk that does not respond. */
	async #timeSoon() {
		if (this.#isTiming) return;
		this.#isTiming = true;
		await this.#world.runtime.sleep(untimedMs, void 0, { keepsAlive: false });
		this.#isTiming = false;
		for (const job of this.#jobs) this.#time(job);
	}
	async #time(job) {
		if (job.isTimed || job.timeoutMs <= 0 || job.timeoutMs >= longestTimerMs) return;
		job.isTimed = true;
		job.waited ??= new AbortController();
		const { signal: waited } = job.waited;
		await this.#world.runtime.sleep(job.timeoutMs, waited);
		if (!this.#holding) await this.#world.runtime.sleep(lastTryMs, waited);
		if (!waited.aborted) job.refuse(this.#timeout(job, this.#holding ? void 0 : this.#ageMs));
	}
	#timeout({ timeoutMs }, ageMs) {
		return new LockTimeoutError(this.#lockDirectory, timeoutMs, staleMs, ageMs);
	}
	async #serve() {
		this.#serving = true;
		while (this.#jobs.length > 0) {
			const lock = await this.#acquire();
			if (lock === void 0) continue;
			this.#holding = true;
			const { runtime } = this.#world;
			if (runtime.monotonic() - this.#releasedAt > gapMs) this.#began = runtime.monotonic();
			const settle = await this.#spend(lock, this.#began + holdMs);
			await lock.release();
			this.#holding = false;
			this.#releasedAt = runtime.monotonic();
			settle();
			if (this.#releasedAt < this.#began + holdMs) continue;
			this.#restUntil = this.#releasedAt + await this.#turns.rest(this.#began);
			this.#began = this.#restUntil;
		}
		this.#serving = false;
	}
	/** Serves jobs. Returns the function that reports the result of the last one, to be called after the lock is released. */
	async #spend(lock, until) {
		let settle = nothing$1;
		do {
			if (lock.late && !await isStillOurs(lock)) break;
			settle();
			settle = await this.#jobs.shift()?.run(lock) ?? nothing$1;
		} while (this.#jobs.length > 0 && !lock.lost && this.#world.runtime.monotonic() < until);
		return settle;
	}
	/** Takes the lock; `undefined` if no job waits any more. */
	async #acquire() {
		const { runtime } = this.#world;
		let poll = firstPollMs;
		let free = 0;
		let tries = 0;
		const rest = this.#restUntil - runtime.monotonic();
		if (rest > 0) await runtime.sleep(Math.min(rest, this.#untilDeadline()));
		while (this.#jobs.length > 0) try {
			const taken = await (tries === 0 ? takeLock : retakeLock)(this.#lockDirectory, this.#world, this.#sighting);
			if (taken instanceof HeldLock) return taken;
			this.#ageMs = taken.ageMs;
			free = taken.againMs === 0 ? free + 1 : 0;
			if (free === 0 || free > freeTries) this.#refuseOverdue();
			if (tries++ % triesPerAsking === 1 && taken.againMs > 0) await this.#turns.ask();
			const pause = Math.min(poll * (.5 + runtime.random() / 2), taken.againMs, this.#untilDeadline());
			if (pause > 0) await runtime.sleep(pause);
			poll = Math.min(2 * poll, 16);
		} catch (error) {
			for (const job of this.#jobs.slice()) job.refuse(error);
		}
	}
	#refuseOverdue() {
		const now = this.#world.runtime.monotonic();
		for (const job of this.#jobs.slice()) if (job.deadline <= now) job.refuse(this.#timeout(job, this.#ageMs));
	}
	#untilDeadline() {
		const soonest = Math.min(...this.#jobs.map((job) => job.deadline));
		return Math.max(0, soonest - this.#world.runtime.monotonic());
	}
};
const nothing$1 = () => {};
async function outcomeOf(work, hold) {
	try {
		const value = await work(hold);
		return (resolve) => resolve(value);
	} catch (error) {
		return (_, reject) => reject(error);
	}
}
async function isStillOurs(lock) {
	try {
		return await lock.isOurs();
	} catch {
		return false;
	}
}
var JobHold = class {
	root;
	lockDirectory;
	#lock;
	#over = false;
	constructor(root, lockDirectory, lock) {
		this.root = root;
		this.lockDirectory = lockDirectory;
		this.#lock = lock;
	}
	get deaths() {
		return this.#lock.deaths;
	}
	get late() {
		return this.#lock.late;
	}
	async check() {
		if (this.#over) throw new LockLostError(this.lockDirectory, "the work it was held for has ended");
		if (!await this.#lock.isOurs()) throw new LockLostError(this.lockDirectory);
	}
	end() {
		this.#over = true;
	}
};
// packages/vault-lock/src/placed-hold.ts
/**
* The right to write into one directory: it holds every lock that the directory's writers take, and is valid while those stay the agreed
* locks.
*/
/** Several locks held together. It only checks whether they are held. */
var JointHold = class {
	root;
	locks;
	/** The lock that all writers of this machine share, if one is recorded. */
	lockDirectory;
	#held;
	#place;
	constructor(root, held, place) {
		this.root = root;
		this.locks = held.map(({ lockDirectory }) => lockDirectory);
		this.lockDirectory = this.locks.find((lock) => lock !== place.own) ?? place.own;
		this.#held = held;
		this.#place = place;
	}
	get tag() {
		return this.#place.tag;
	}
	get deaths() {
		return this.#held.reduce((sum, { deaths }) => sum + deaths, 0n);
	}
	get late() {
		return this.#held.some(({ late }) => late);
	}
	async check() {
		for (const hold of this.#held) await hold.check();
	}
};
/** The hold that work receives. It checks whether the locks are held and whether they are still the agreed ones. */
var PlacedHold = class {
	root;
	lockDirectory;
	/** The lock that this process's environment names. */
	own;
	#joint;
	#place;
	constructor(joint, place) {
		this.root = joint.root;
		this.lockDirectory = joint.lockDirectory;
		this.own = place.own;
		this.#joint = joint;
		this.#place = place;
	}
	get tag() {
		return this.#joint.tag;
	}
	get deaths() {
		return this.#joint.deaths;
	}
	get late() {
		return this.#joint.late;
	}
	async check() {
		await this.#joint.check();
		if (!await this.#place.mayChange(this.#joint.locks, this.#joint)) throw moved(this.lockDirectory);
	}
};
function moved(lockDirectory) {
	return new LockLostError(lockDirectory, "its writers have agreed on another one", { isMoved: true });
}
/** Whether work stopped because the writers switched to another lock. Nothing was written, so the work can start over. */
function isMoved(error) {
	return error instanceof LockLostError && error.isMoved;
}
// packages/vault-lock/src/vault-mutex.ts
const defaultTimeoutMs = 1e4;
/** How often the writers may switch to another lock while this call waits, before it gives up. */
const mostRounds = 8;
/**
* Runs `work` while holding the lock of a root: one writer at a time among all processes of this machine. Throws an
* error with code `LOCK_TIMEOUT` when the lock cannot be taken in time.
*
* @example
* ```ts
* import { filePath, vaultMutex } from '@agentm/vault-lock'
* import { mkdtemp } from 'node:fs/promises'
* import { tmpdir } from 'node:os'
* import path from 'node:path'
*
* const vault = filePath(await mkdtemp(path.join(tmpdir(), 'vault-')))
* const done = await vaultMutex(vault, async () => 'nobody else wrote meanwhile', { timeoutMs: 5000 })
* console.log(done) // nobody else wrote meanwhile
* ```
*/
async function vaultMutex(root, work, options = {}) {
	const { within, timeoutMs = defaultTimeoutMs, signal, lockRoot = defaultLockRoot() } = options;
	const world = {
		fs: options.fs ?? nodeFileSystem,
		runtime: options.runtime ?? nodeRuntime
	};
	signal?.throwIfAborted();
	if (within !== void 0 && await isSameLock(within, root, lockRoot, world)) {
		await within.check();
		return work(within);
	}
	const deadline = world.runtime.monotonic() + timeoutMs;
	const leftMs = () => Math.max(0, deadline - world.runtime.monotonic());
	for (let round = 1;; round++) {
		const place = await placeOf(root, lockRoot, world);
		if (place.found.standing.kind === "away") await place.meet(leftMs, signal);
		signal?.throwIfAborted();
		const outcome = await under(place.locks.map((lock) => queueOf(lock, world)), {
			root,
			timeoutMs: round === 1 ? timeoutMs : leftMs(),
			signal,
			leftMs
		}, async (held) => {
			const joint = new JointHold(root, held, place);
			if (!await place.mayBegin(joint.locks, joint)) return void 0;
			return { value: await work(new PlacedHold(joint, place)) };
		});
		if (outcome !== void 0) return outcome.value;
		if (round >= mostRounds) throw moved(place.own);
	}
}
/** Like `vaultMutex`, for work that can be repeated: it starts over if the writers switched to another lock while it ran. */
async function underLock(root, work, options = {}) {
	for (let round = 1;; round++) try {
		return await vaultMutex(root, work, options);
	} catch (error) {
		if (!isMoved(error) || round >= mostRounds) throw error;
	}
}
/** Takes the locks one after the other, then runs the work. */
async function under([queue, ...others], waits, work) {
	if (queue === void 0) return work([]);
	return queue.run(async (hold) => {
		if (others.length === 0) return work([hold]);
		return under(others, {
			...waits,
			timeoutMs: waits.leftMs()
		}, (held) => work([hold, ...held]));
	}, waits);
}
async function isSameLock(within, root, lockRoot, { fs }) {
	const { own, lockDirectory: held } = within;
	const lock = await lockDirectory(root, lockRoot, fs);
	return own === lock || held === lock;
}
/** One entry for each file system and clock. Only tests use other ones than the real ones. */
const worlds = /* @__PURE__ */ new WeakMap();
async function placeOf(root, lockRoot, world) {
	const known = knownIn(world);
	const spelling = `${lockRoot}\0${root}`;
	const place = known.bySpelling.get(spelling);
	if (place !== void 0 && known.queues.get(place.own)?.isRecent === true) return place;
	const resolving = known.resolving.get(spelling) ?? findPlace(root, lockRoot, world, known);
	known.resolving.set(spelling, resolving);
	try {
		const found = await resolving;
		known.bySpelling.set(spelling, found);
		return found;
	} finally {
		known.resolving.delete(spelling);
	}
}
async function findPlace(root, lockRoot, world, { places }) {
	const resolved = await realPath(root, world.fs);
	const own = lockIn(lockRoot, resolved);
	const place = places.get(own) ?? new LockPlace(resolved, own, world);
	places.set(own, place);
	await place.locate();
	await place.look();
	return place;
}
function queueOf(lock, world) {
	const { queues } = knownIn(world);
	const queue = queues.get(lock) ?? new LockQueue(lock, world);
	queues.set(lock, queue);
	return queue;
}
function knownIn({ fs, runtime }) {
	const clocks = worlds.get(fs) ?? /* @__PURE__ */ new WeakMap();
	const known = clocks.get(runtime) ?? {
		queues: /* @__PURE__ */ new Map(),
		places: /* @__PURE__ */ new Map(),
		bySpelling: /* @__PURE__ */ new Map(),
		resolving: /* @__PURE__ */ new Map()
	};
	worlds.set(fs, clocks.set(runtime, known));
	return known;
}
// packages/vault-lock/src/directory-backend.ts
/** How often an update is retried when a program without the lock changes the file first. */
const updateRounds = 8;
/**
* The base class of backends over text files below one root that other programs write too. Every write holds the root's lock, and
* checks right before the rename that the file was not changed.
*
* @example
* ```ts
* import { Capabilities } from '@agentm/storage-seam'
* import { DirectoryBackend } from '@agentm/vault-lock'
*
* class Notebook extends DirectoryBackend {
*   override readonly capabilities = new Capabilities({ concurrentWriters: true, conditionalWrite: true, removal: true })
* }
* const notebook = new Notebook('/srv/notebook')
* ```
*/
var DirectoryBackend = class extends StorageBackend {
	#root;
	#confined;
	#fs;
	#options;
	#identity;
	#listing;
	#pending = new PendingChanges();
	constructor(given, options = {}) {
		super();
		const root = givenPath(given);
		this.#root = root;
		this.#fs = options.fs ?? nodeFileSystem;
		this.#options = options;
		this.#confined = new ConfinedRoot(root, this.#fs, {
			allowLinks: options.allowLinks ?? [],
			exclude: options.exclude ?? [],
			followLinks: options.followLinks ?? true,
			...options.privateRoot === true ? { rootMode: 448 } : {}
		});
		this.#identity = new StoreIdentity(root, this.#confined, this.#fs, {
			id: options.storeId,
			parentMustExist: options.parentMustExist ?? false
		});
		this.#listing = new DirectoryListing({
			fs: this.#fs,
			confined: this.#confined,
			identity: this.#identity,
			info: async (at) => this.info(at)
		}, options);
	}
	async read(at) {
		const place = this.#placeAt(at);
		const text = await answered(place, this.#current(place));
		if (text === void 0) throw new NotFoundError(place);
		return text;
	}
	async write(at, text, { ifHash } = {}) {
		const place = this.#fileAt(at);
		if (!text.isWellFormed()) throw new InvalidTextError(`the text for ${JSON.stringify(place.key)}`);
		await answered(place, this.#replacing(async (under) => {
			if (ifHash === void 0) return this.#replace(place, text, under);
			await this.#seeing(place, async (seen) => {
				checkUnchanged(place, seen?.text, ifHash);
				await this.#replace(place, text, {
					...under,
					before: { seen }
				});
			});
		}));
		return place;
	}
	/** Queued changes of one key are combined into one durable write. */
	async update(at, change) {
		const place = this.#fileAt(at);
		return this.#pending.add(place.key, change, async (batch) => {
			const changing = this.#replacing((under) => this.#changed(place, batch, under));
			batch.settle(await answered(place, changing));
		});
	}
	async remove(at, { ifHash } = {}) {
		const place = this.#fileAt(at);
		await answered(place, this.#locked((hold) => this.#removed(place, ifHash, hold)));
	}
	async list(at) {
		const place = this.#placeAt(at);
		return answered(place, this.#listing.children(place));
	}
	/** Follows symbolic links once for the directory itself. For its entries, only links are resolved. */
	async listInfo(at, { enough = () => false } = {}) {
		const place = this.#placeAt(at);
		return answered(place, this.#listing.infos(place, enough));
	}
	async exists(at) {
		const place = this.#placeAt(at);
		return answered(place, this.#isThere(place));
	}
	async #isThere(place) {
		if (await this.#confined.find(place) !== void 0 || await this.#isOnlineOnly(place)) return true;
		await this.#identity.check({ found: false });
		return false;
	}
	async info(at) {
		const place = this.#placeAt(at);
		return answered(place, this.#look(place));
	}
	async #look(place) {
		const found = await this.#confined.find(place);
		if (found === void 0) throw await this.#absent(place);
		return infoOf(place, found.stats);
	}
	async mkdir(at) {
		const place = this.#placeAt(at);
		await answered(place, this.#locked(async () => {
			const folder = await this.#confined.folder(place);
			await this.#entering(folder, nothing, async ({ directory, made }) => {
				if (made !== void 0) await syncDirectories(directory.path, made, this.#fs);
				await this.#confined.confirmKey(place);
			});
		}));
		return place;
	}
	#locked(work) {
		return underLock(this.#options.lockFor ?? this.#root, work, this.#options);
	}
	/** Waits for the disk sync of the new name only after the lock is released, because other processes may write meanwhile. */
	async #replacing(work) {
		const synced = [];
		const later = (step) => {
			step.catch(nothing);
			synced.push(step);
		};
		const value = await this.#locked((hold) => work({
			hold,
			later
		}));
		await Promise.all(synced);
		return value;
	}
	/** The name of a placeholder file is not a key, because `list` shows it under the name of the file it replaces. */
	#placeAt(at) {
		const place = asLocator(at);
		const { standIns } = this.#options;
		if (standIns !== void 0 && place.parts.some((segment) => standIns.original(segment) !== void 0)) throw new InvalidLocatorError(place.key, "a sync program gives such a name to what it keeps online only. Choose another name");
		return place;
	}
	#fileAt(at) {
		const place = this.#placeAt(at);
		if (place.key === "") throw new NotAFileError(place, "a directory; name a file below it");
		return place;
	}
	/** The current text; `undefined` only if the store is available and this file is absent. */
	async #current(at) {
		return this.#seeing(at, async (seen) => seen?.text);
	}
	async #seeing(at, work) {
		const seen = await this.#see(at);
		try {
			return await work(seen);
		} finally {
			await seen?.close();
		}
	}
	async #see(at) {
		const seen = await this.#seeFile(at);
		if (seen !== void 0) return seen;
		const refusal = await this.#absent(at);
		if (isSeamError(refusal, "NOT_FOUND")) return void 0;
		throw refusal;
	}
	async #seeFile(at) {
		try {
			const opened = await this.#confined.open(at);
			return opened === void 0 ? void 0 : await SeenText.read(opened, at, this.#fs);
		} catch (error) {
			if (isErrno(error, "EDEADLK")) throw new OnlineOnlyError(at, { cause: error });
			throw error;
		}
	}
	/** The error for a place where nothing was found: the file is absent, it is only in the cloud, or the whole store is unavailable. */
	async #absent(at) {
		if (await this.#isOnlineOnly(at)) return new OnlineOnlyError(at);
		await this.#identity.check({ found: false });
		return new NotFoundError(at);
	}
	async #isOnlineOnly(at) {
		if (at.key === "") return false;
		for (const name of this.#options.standIns?.of(at.name) ?? []) if (await this.#isStandIn(at.parent.child(name))) return true;
		return false;
	}
	async #isStandIn(at) {
		try {
			return await this.#confined.find(at) !== void 0;
		} catch (error) {
			if (isSeamError(error, "INVALID_LOCATOR")) return false;
			throw error;
		}
	}
	/**
	* Runs `work` in the directory of the target. The directory is created only after the store was found available and `refuse` did not
	* throw.
	*/
	async #entering(target, refuse, work) {
		try {
			await this.#identity.check({ found: target.present !== void 0 });
			await refuse();
			return await work(await target.enter());
		} finally {
			await target.close();
		}
	}
	async #changed(at, batch, under) {
		for (let round = 1;; round++) try {
			return await this.#seeing(at, async (seen) => {
				const { text, outcomes } = foldChanges(seen?.text, batch.take());
				if (text !== void 0 && text !== seen?.text) await this.#replace(at, text, {
					...under,
					before: { seen }
				});
				return outcomes;
			});
		} catch (error) {
			if (!isSeamError(error, "CONCURRENT_MODIFICATION") || round >= updateRounds) throw error;
		}
	}
	async #removed(at, ifHash, hold) {
		for (let round = 1; round <= updateRounds; round++) {
			const current = await this.#current(at);
			if (current === void 0) throw new NotFoundError(at);
			checkUnchanged(at, current, ifHash);
			const target = await this.#confined.target(at, { isLinkMeant: true });
			const { present } = target;
			if (present === void 0) await target.close();
			else if (await this.#entering(target, nothing, ({ directory }) => this.#removedFrom(directory, at, {
				present,
				ifHash,
				hold
			}))) return;
		}
		const last = await this.#current(at);
		throw new ConcurrentModificationError(at, ifHash ?? null, last === void 0 ? null : contentHash(last));
	}
	async #removedFrom(directory, at, { present, ifHash, hold }) {
		const removal = {
			hold,
			confirm: async () => {
				if (ifHash !== void 0) checkUnchanged(at, await this.#current(at), ifHash);
			},
			isMeant: async (moved) => {
				const now = await this.#fs.lstat(moved);
				if (identity(now) !== identity(present) || now.size !== present.size) return false;
				return ifHash === void 0 || !now.isFile() || contentHash(await this.#fs.readFile(moved)) === ifHash;
			}
		};
		const { runtime = nodeRuntime } = this.#options;
		return removeFile(directory, at.name, removal, {
			fs: this.#fs,
			runtime
		});
	}
	/**
	* With `before`, replaces the file only if it still has that content, or is still absent. This is checked last, right before the rename.
	* Starts over if a directory on the way was moved or removed meanwhile.
	*/
	async #replace(at, text, replacing) {
		for (let round = 1;; round++) try {
			return await this.#replaceOnce(at, text, replacing);
		} catch (error) {
			if (isErrno(error, "NOT_REPLACEABLE")) throw new NotAFileError(at, "a directory, or no plain file", { cause: error });
			if (!isErrno(error, "ENOENT", "ENOTDIR", "ELOOP") || round >= updateRounds) throw error;
		}
	}
	async #replaceOnce(at, text, { hold, later, before }) {
		const target = await this.#confined.target(at);
		const { present, name } = target;
		const refuse = async () => {
			if (present?.isFile() === false) throw new NotAFileError(at, "a directory, or no plain file");
			if (present === void 0 && await this.#isOnlineOnly(at)) throw new OnlineOnlyError(at);
		};
		await this.#entering(target, refuse, async ({ directory, made }) => {
			if (at.key === "_meta/agentm-store.json") this.#identity.lookAgain();
			const place = directory.at(name);
			const confirm = before === void 0 ? void 0 : async () => this.#confirm(at, place, before.seen);
			await replaceFile({
				directory,
				name,
				made
			}, Buffer.from(text), {
				...this.#options,
				hold,
				later,
				...confirm === void 0 ? {} : {
					confirm,
					isNew: before?.seen === void 0
				},
				...present === void 0 ? {} : { mode: Number(present.mode) & 511 }
			});
			if (present === void 0) await this.#confined.confirmKey(at);
		});
	}
	/** Another file with the same text is accepted, because some programs save a file without changing it. */
	async #confirm(at, place, seen) {
		if (seen !== void 0 && await seen.isAt(place)) return;
		checkUnchanged(at, await this.#current(at), seen === void 0 ? null : contentHash(seen.text));
	}
};
async function nothing() {}
/** Translates faults of the machine into errors that say what to do. Other errors pass through. */
async function answered(at, work) {
	try {
		return await work;
	} catch (error) {
		const fault = errnoOf(error);
		throw fault === void 0 ? error : new DeviceFaultError(at, fault, { cause: error });
	}
}
// packages/vault-lock/src/lock-standing.ts
/**
* Which locks a writer of this root would take, and what could prevent it. Changes nothing.
*
* @example
* ```ts
* import { filePath, lockStanding } from '@agentm/vault-lock'
*
* const { kind, own } = await lockStanding(filePath('/srv/vault'))
* ```
*/
async function lockStanding(root, { lockRoot = defaultLockRoot(), fs = nodeFileSystem, runtime = nodeRuntime } = {}) {
	const resolved = await realPath(root, fs);
	const own = lockIn(lockRoot, resolved);
	const place = new LockPlace(resolved, own, {
		fs,
		runtime
	});
	await place.locate();
	const standing = await place.look();
	const { file = "", usedAt } = place.found;
	if (standing.kind === "both") return {
		own,
		kind: "both",
		recorded: standing.lock,
		file
	};
	if (standing.kind !== "away") return {
		own,
		kind: "own"
	};
	const unusedMs = Math.abs(runtime.now() - usedAt);
	const { lock: recorded, by, why } = standing;
	return {
		own,
		kind: "away",
		recorded,
		file,
		by,
		why,
		unusedMs,
		isGivenUp: unusedMs > placeLeaseMs
	};
}
// packages/vault-lock/src/locked-update.ts
/** Reads, changes and writes a file as one step among all programs that take the same lock. The text is kept byte for byte. */
/**
* Calls `change` with the current text, or with `undefined` if there is no file, and writes the text it returns. If it returns `undefined`
* or the same text, nothing is written. `change` must not have side effects. Returns the resulting text.
*
* @example
* ```ts
* import { filePath, lockedUpdate } from '@agentm/vault-lock'
* import { mkdtemp } from 'node:fs/promises'
* import { tmpdir } from 'node:os'
* import path from 'node:path'
*
* const vault = filePath(await mkdtemp(path.join(tmpdir(), 'vault-')))
* const counter = filePath(path.join(vault, 'counter.txt'))
* const increment = (text = '0') => `${Number(text) + 1}`
* await Promise.all([1, 2, 3].map(() => lockedUpdate(vault, counter, increment)))
* console.log(await lockedUpdate(vault, counter, () => undefined)) // 3
* ```
*/
async function lockedUpdate(root, target, change, { mode, ...options } = {}) {
	const { fs = nodeFileSystem, runtime } = options;
	return underLock(root, async (hold) => {
		const current = await readText(target, fs);
		const next = change(current);
		if (next === void 0 || next === current) return current;
		await atomicWrite(target, next, {
			hold,
			fs,
			...runtime === void 0 ? {} : { runtime },
			...mode === void 0 ? {} : { mode }
		});
		return next;
	}, options);
}
/** The current text, including byte order mark and line ends; `undefined` if there is no file. */
async function readText(path, fs) {
	let bytes;
	try {
		bytes = await fs.readFile(path);
	} catch (error) {
		if (isErrno(error, "ENOENT")) return void 0;
		throw error;
	}
	try {
		return new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: true
		}).decode(bytes);
	} catch (error) {
		throw new CorruptTextError({ key: path }, { cause: error });
	}
}
// packages/vault-lock/src/unusable-names.ts
/** Names below a directory that cannot be keys, each with the reason, so that a person learns which files the store ignores. */
/**
* Returns at most 100 names. Links are not followed, and directories that cannot be read are skipped.
*
* @example
* ```ts
* import { Locator } from '@agentm/storage-seam'
* import { filePath, unusableNames } from '@agentm/vault-lock'
*
* for (const name of await unusableNames(filePath('/srv/vault'), new Locator(''))) console.log(name)
* ```
*/
async function unusableNames(root, at, { enter = () => true, fs = nodeFileSystem } = {}) {
	const skipped = [];
	const directories = [[root, at]];
	for (const [directory, place] of directories) {
		const names = await listNames(directory, place, {
			fs,
			onSkipped: (each) => skipped.push(each)
		}).catch(() => []);
		const stats = await fs.lstatAll(names.map((name) => path.join(directory, name))).catch(() => []);
		for (const [i, name] of names.entries()) if (stats[i]?.isDirectory() === true && enter(name)) directories.push([path.join(directory, name), place.child(name)]);
		if (skipped.length >= most) break;
	}
	return skipped.slice(0, most);
}
const most = 100;
export { DirectoryBackend, atomicWrite, contentHash, filePath, givenPath, isTemporaryName, lockDirectory, lockStanding, lockedUpdate, nodeFileSystem, nodeRuntime, realPath, unusableNames, vaultMutex };
