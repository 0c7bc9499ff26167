// Reads the emails that the service has sent. Without a mail server, the service stores each email as a file.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const isAboutNewDevice = (text: string): boolean => text.includes('\nSubject: New login to Gapura')
const isAboutJoinedUser = (text: string): boolean =>
  text.includes('\nSubject: A user joined your Gapura team')
const isAboutSecurityChange = (text: string): boolean =>
  text.includes('\nSubject: The security of your Gapura account changed')

/**
 * Returns the full texts of the emails to an address, oldest first. Leaves out emails about logins from new
 * devices, security changes, and users who joined a team.
 */
export const mailsTo = async (dataDir: string, address: string): Promise<string[]> =>
  (await allMailsTo(dataDir, address)).filter(
    text => !isAboutNewDevice(text) && !isAboutSecurityChange(text) && !isAboutJoinedUser(text),
  )

export const joinedUserMailsTo = async (dataDir: string, address: string): Promise<string[]> =>
  (await allMailsTo(dataDir, address)).filter(isAboutJoinedUser)

export const securityMailsTo = async (dataDir: string, address: string): Promise<string[]> =>
  (await allMailsTo(dataDir, address)).filter(isAboutSecurityChange)

export const newDeviceMailsTo = async (dataDir: string, address: string): Promise<string[]> =>
  (await allMailsTo(dataDir, address)).filter(isAboutNewDevice)

async function allMailsTo(dataDir: string, address: string): Promise<string[]> {
  const directory = join(dataDir, 'mail')
  const names = await readdir(directory).catch(() => [])
  const files = names.filter(name => name.endsWith('.eml')).sort()
  const texts = await Promise.all(files.map(name => readFile(join(directory, name), 'utf8')))
  return texts.filter(text => text.includes(`\nTo: ${address}\n`))
}

export const invitationTokenIn = (text: string): string => /gp_invite_[\w-]+/.exec(text)?.[0] ?? ''

export const resetTokenIn = (text: string): string => /gp_reset_[\w-]+/.exec(text)?.[0] ?? ''
