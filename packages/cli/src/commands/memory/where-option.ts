/** The checkout to be called in, for every command that asks memory. */
export const whereOption = { cwd: { value: 'DIR', help: 'as if called in this directory' } }
