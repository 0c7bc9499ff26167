#!/usr/bin/env node
import { runProgram } from './program.ts'

// The program that reads the output may close the pipe early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`gapura: cannot write to standard output (${error.message})\n`)
  process.exit(1)
})

process.exitCode = await runProgram(process.argv.slice(2), process)
