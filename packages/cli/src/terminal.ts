// Asks the user for input on a terminal. Questions are printed to stderr, so stdout contains only the result.

import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CancelledError, UsageError } from './failure.ts'
import type { ProcessIo } from './process-io.ts'

type Stdin = Pick<ProcessIo, 'stdin'>
type Terminal = Pick<ProcessIo, 'stdin' | 'stderr'>
export type Question = { text: string; hidden?: true }

/**
 * Returns whether both stdin and stderr are terminals. The questions are printed to stderr, so the user would not
 * see them if stderr were a file.
 */
export const isTerminal = ({ stdin, stderr }: Terminal): boolean =>
  stdin.isTTY === true && stderr.isTTY === true

/**
 * Asks the given questions on the terminal and returns the answers in order. A single readline interface reads
 * all answers, so that text typed or pasted before its question appears is not lost.
 */
export function ask({ stdin, stderr }: Terminal, ...questions: Question[]): Promise<string[]> {
  let hidden = false
  const output = new Writable({
    write(chunk, _, done) {
      if (!hidden) stderr.write(chunk)
      done()
    },
  })
  // The input history is disabled, because the up arrow key would show a previously typed password.
  const reader = createInterface({ input: stdin, output, terminal: true, historySize: 0 })
  const answers: string[] = []
  return new Promise((resolve, reject) => {
    const next = () => {
      const question = questions[answers.length]
      if (!question) {
        reader.close()
        return
      }
      hidden = false
      reader.setPrompt(question.text)
      reader.prompt()
      hidden = question.hidden === true
    }
    reader.on('line', line => {
      // Lines pasted after the last answer are ignored.
      if (answers.length === questions.length) return
      if (hidden) stderr.write('\n')
      answers.push(line)
      next()
    })
    reader.on('SIGINT', () => reader.close())
    reader.on('close', () => {
      if (answers.length === questions.length) resolve(answers)
      else {
        stderr.write('\n')
        reject(new CancelledError())
      }
    })
    next()
  })
}

/** Asks the user to confirm an action. Throws an error unless the user agrees or has passed --yes. */
export async function confirm(
  io: Terminal,
  consequence: string,
  { yes }: { yes?: true | undefined },
): Promise<void> {
  if (yes) return
  if (!isTerminal(io))
    throw new UsageError(
      `${consequence}; the command must ask for confirmation, but there is no terminal`,
      'add --yes',
    )
  const [answer = ''] = await ask(io, { text: `${consequence}. Continue? [y/N] ` })
  if (!/^y(es)?$/i.test(answer.trim())) throw new CancelledError()
}

/** Reads a secret from a prompt. Without a terminal, reads all of stdin and removes the final newline. */
export async function readSecret(io: Terminal, question: string): Promise<string> {
  if (!isTerminal(io)) return (await readStdin(io)).replace(/\r?\n$/, '')
  const [secret = ''] = await ask(io, { text: question, hidden: true })
  return secret
}

/** Asks for a new secret twice, because the user cannot see what they type. */
export async function readNewSecret(io: Terminal, question: string): Promise<string> {
  if (!isTerminal(io)) return readSecret(io, question)
  const [first = '', second] = await ask(
    io,
    { text: question, hidden: true },
    { text: 'Repeat the password: ', hidden: true },
  )
  if (first !== second) throw new UsageError('the passwords do not match', 'try again')
  return first
}

export const readStdin = ({ stdin }: Stdin): Promise<string> => text(stdin)

/** Reads JSON from `file`, which is a path, or `-` to read from stdin. */
export async function readJson(io: Stdin, file: string): Promise<unknown> {
  const from = file === '-' ? 'stdin' : file
  let json: string
  try {
    json = file === '-' ? await readStdin(io) : await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${from} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
  try {
    return JSON.parse(json)
  } catch {
    // The error does not contain the JSON parser's message, because that message quotes the text and could
    // reveal a secret.
    throw new UsageError(`${from} is not JSON`)
  }
}
