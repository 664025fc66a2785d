/** The directory to run in, for every command that reads or writes notes. */
export const whereOption = { cwd: { value: 'DIR', help: 'run as if started in this directory' } }
