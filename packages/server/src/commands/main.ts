#!/usr/bin/env node
import { explainOutputError } from '../startup/output-error.ts'
import { runProgram } from './program.ts'

function failOnOutput(error: NodeJS.ErrnoException): void {
  // A program that reads the output, such as `head`, may close the pipe early. The resulting EPIPE is
  // therefore not treated as an error.
  if (error.code !== 'EPIPE') process.stderr.write(`gapura-server: ${explainOutputError(error)}\n`)
  process.exit(error.code === 'EPIPE' ? 0 : 1)
}
process.stdout.on('error', failOnOutput)

process.exitCode = await runProgram(process.argv.slice(2), process, async read => {
  process.stdout.off('error', failOnOutput) // the start command adds its own handler for output errors, which shuts the service down properly
  const { run } = await import('../main.ts')
  await run(read)
})
