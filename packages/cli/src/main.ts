#!/usr/bin/env node
import { runProgram } from './program.ts'

// A program that reads the output, such as `head`, may close the pipe before the output ends. This is not
// treated as an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`gapura: cannot write to standard output (${error.message})\n`)
  process.exit(1)
})

process.exitCode = await runProgram(process.argv.slice(2), process)
