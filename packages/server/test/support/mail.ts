// Reads the mails of a service without a mail server.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the full texts of the mails to an address, oldest first. */
export async function mailsTo(dataDir: string, address: string): Promise<string[]> {
  const directory = join(dataDir, 'mail')
  const names = await readdir(directory).catch(() => [])
  const files = names.filter(name => name.endsWith('.eml')).sort()
  const texts = await Promise.all(files.map(name => readFile(join(directory, name), 'utf8')))
  return texts.filter(text => text.includes(`\nTo: ${address}\n`))
}

export const resetTokenIn = (text: string): string => /gp_reset_[\w-]+/.exec(text)?.[0] ?? ''
