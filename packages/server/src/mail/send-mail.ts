// How mail leaves: by SMTP, or, where no mail server is configured, as a file below the data directory.

import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../id.ts'
import type { Mail } from './mail.ts'

export type SendMail = (mail: Mail) => Promise<void>

/** For each step of talking to the mail server; a mail is sent by a job, so nobody waits for it. */
const TIMEOUT_MS = 10_000

export type MailConfig = { smtpUrl: string | undefined; mailFrom: string; dataDir: string }

export function mailSender({ smtpUrl, mailFrom, dataDir }: MailConfig): SendMail {
  return smtpUrl === undefined ? toFile(join(dataDir, 'mail'), mailFrom) : bySmtp(smtpUrl, mailFrom)
}

function bySmtp(url: string, from: string): SendMail {
  return async mail => {
    // The library takes 5 MB, and most processes never send a mail. It comes into memory with the first one.
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
      // What we send is ours alone: a text that looks like an address of a file is not one.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    await transport.sendMail({ ...mail, from })
  }
}

/** Named by time, so that the last is the newest; renamed, so that whoever watches reads whole files. */
function toFile(directory: string, from: string): SendMail {
  return async ({ to, subject, text }) => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const file = join(directory, `${newId()}.eml`)
    const head = { From: from, To: to, Subject: subject, Date: new Date().toUTCString() }
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
    await writeFile(`${file}.new`, `${lines.join('\n')}\n\n${text}`, { mode: 0o600, flag: 'wx' })
    await rename(`${file}.new`, file)
  }
}
