// The options --jq and --template. Each replaces a command's JSON output with the output of its filter.

import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { FailedError, UsageError } from './failure.ts'
import { printable, printText } from './output.ts'
import type { ProcessIo } from './process-io.ts'

export type Filter = (value: unknown) => Promise<string>

/** Returns the filter for --jq or --template, or undefined if neither option is used. */
export function filterOf({ jq, template }: { jq?: string; template?: string }): Filter | undefined {
  if (jq !== undefined && template !== undefined) throw new UsageError('pass --jq or --template, not both')
  if (jq !== undefined) return value => withJq(jq, value)
  if (template !== undefined) return value => withTemplate(template, value)
  return undefined
}

/**
 * Throws a UsageError if the filter or template is invalid. It is checked before the command runs, because a command
 * such as `refunds create` must not take effect if its result cannot be printed.
 */
export async function checkFilter(options: { jq?: string; template?: string }): Promise<void> {
  filterOf(options)
  const { jq, template } = options
  // The filter is compiled, but never runs.
  if (jq !== undefined) await runJq(`if false then (\n${jq}\n) else empty end`, {})
  if (template !== undefined) {
    const { default: mustache } = await import('mustache')
    try {
      mustache.parse(template)
    } catch (error) {
      throw new UsageError(`--template: ${(error as Error).message}`, 'correct the template')
    }
  }
}

/** Filters a value with jq. In the output, strings have no quotes, and every other value is on a single line. */
async function withJq(filter: string, value: unknown): Promise<string> {
  try {
    return await runJq(filter, value)
  } catch (error) {
    throw failed((error as Error).message, value)
  }
}

/** The error if a filter fails on the output of a command that has succeeded. It contains the output's beginning. */
const failed = (reason: string, value: unknown): FailedError =>
  new FailedError(
    reason,
    `the command succeeded, so do not repeat it; its output was ${JSON.stringify(value).slice(0, 2_000)}`,
  )

async function runJq(filter: string, value: unknown): Promise<string> {
  // The jq library is a megabyte of WebAssembly, so it is loaded only for commands that use it.
  const { raw } = await import('jq-wasm')
  const { exitCode } = process
  try {
    return lineOf(await raw(value as object, filter, ['-r', '-c']))
  } catch (error) {
    const [reason = ''] = (error as Error).message.replace(/^jq: error:? ?/, '').split('\n')
    throw new UsageError(`--jq: ${reason}`, 'correct the filter')
  } finally {
    // If the filter fails, jq-wasm changes the exit code of the whole process, so the previous exit code is restored
    // here.
    process.exitCode = exitCode
  }
}

/**
 * Renders a Mustache template. In the template, `\n` and `\t` mean a new line and a tab, because both characters
 * are hard to type in a shell.
 */
async function withTemplate(template: string, value: unknown): Promise<string> {
  const { default: mustache } = await import('mustache')
  const text = template.replaceAll('\\n', '\n').replaceAll('\\t', '\t')
  try {
    // Control characters are removed, because a value that someone else has entered could otherwise control
    // the terminal or start a new line.
    return lineOf(mustache.render(text, value, {}, { escape: each => printable(String(each)) }))
  } catch (error) {
    throw failed(`--template: ${(error as Error).message}`, value)
  }
}

const lineOf = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** A stream that filters a command's output. A command must write each JSON document with a single call. */
export type Filtered = ProcessIo['stdout'] & { done(): Promise<void> }

export function filtered(stdout: ProcessIo['stdout'], filter: Filter): Filtered {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      Promise.resolve()
        .then(() => filter(parsed(chunk)))
        .then(text => printText({ stdout }, text))
        .then(() => done(), done)
    },
  })
  const ended = finished(stream)
  // The caller gets the stream's error from `done`. If the error occurs before `done` is called, this empty handler
  // prevents an unhandled rejection, which would end the process.
  ended.catch(() => {})
  return Object.assign(stream, {
    done() {
      stream.end()
      return ended
    },
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('--jq and --template need JSON, which this command does not print')
  }
}
