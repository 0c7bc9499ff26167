import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError } from './command-error.ts'
import type { ProcessIo } from './process-io.ts'

type Io = Pick<ProcessIo, 'stdin' | 'stderr'>

/**
 * Reads a password from the terminal or standard input. Passwords are not accepted as arguments, because other
 * processes can see arguments and shells store them.
 */
export async function readPassword(io: Io): Promise<string> {
  if (!io.stdin.isTTY) return (await text(io.stdin)).replace(/\r?\n$/, '')
  const password = await ask(io, 'Password: ')
  if ((await ask(io, 'Repeat the password: ')) !== password)
    throw new CommandError('the passwords do not match')
  return password
}

/** Reads a line from the terminal without echoing what the user types. Ctrl-C and Ctrl-D cancel the command. */
async function ask({ stdin, stderr }: Io, question: string): Promise<string> {
  stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true })
  const ended = new Promise<never>((_, reject) => {
    lines.once('SIGINT', reject)
    // If the terminal is closed, the promise that `question` returns never settles, so `close` must reject.
    lines.once('close', reject)
  })
  try {
    return await Promise.race([lines.question(''), ended])
  } catch {
    throw new CommandError('cancelled, nothing was changed')
  } finally {
    lines.close()
    stderr.write('\n')
  }
}
