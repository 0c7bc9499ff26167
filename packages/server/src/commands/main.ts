#!/usr/bin/env node
import { explainOutputError } from '../startup/output-error.ts'
import { FAILED } from './command-error.ts'
import { runProgram } from './program.ts'

function failOnOutput(error: NodeJS.ErrnoException): void {
  // A program that reads the output, such as `head`, may close the pipe early. The resulting EPIPE is
  // therefore not treated as an error.
  if (error.code !== 'EPIPE') process.stderr.write(`gapura-server: ${explainOutputError(error)}\n`)
  process.exit(error.code === 'EPIPE' ? 0 : 1)
}
process.stdout.on('error', failOnOutput)

// If Node exits before the command has finished, the command has failed.
process.exitCode = FAILED
// This module must not wait for the program at its top level. In the built package, the module of the `start` command
// imports from this module's file, so the import would wait for this module, and this module for the import.
void runProgram(process.argv.slice(2), process, async read => {
  process.stdout.off('error', failOnOutput) // the start command adds its own handler for output errors, which shuts the service down properly
  const { run } = await import('../main.ts')
  await run(read)
}).then(exitCode => {
  process.exitCode = exitCode
})
