import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { readPassword } from './read-password.ts'

/** Returns the streams of a simulated terminal. At each password prompt, the next of the given texts is typed. */
function typing(...typed: string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const stderr = new PassThrough()
  stderr.on('data', chunk => {
    if (String(chunk).includes('assword: '))
      setImmediate(() => typed.length > 0 && stdin.write(typed.shift()))
  })
  return { stdin, stderr }
}

test.each([
  ['Ctrl-D at the first prompt', ['\x04']],
  ['Ctrl-D at the second prompt', ['correct horse\r', '\x04']],
  ['Ctrl-C at the first prompt', ['\x03']],
])('%s cancels the command with a one-line error message', async (_, typed) => {
  const error = await readPassword(typing(...typed)).catch(error => error)
  expect({ name: error.name, message: error.message }).toEqual({
    name: 'CommandError',
    message: 'cancelled, nothing was changed',
  })
})

test('if the terminal closes at the password prompt, the command is cancelled with an error of one line', async () => {
  const { stdin, stderr } = typing()
  stderr.once('data', () => setImmediate(() => stdin.end()))
  await expect(readPassword({ stdin, stderr })).rejects.toThrow('cancelled, nothing was changed')
})

test('readPassword returns a password that is typed twice, and does not show it on the terminal', async () => {
  const { stdin, stderr } = typing('correct horse\r', 'correct horse\r')
  const shown = text(stderr)
  expect(await readPassword({ stdin, stderr })).toBe('correct horse')
  stderr.end()
  expect(await shown).toBe('Password: \nRepeat the password: \n')
})
