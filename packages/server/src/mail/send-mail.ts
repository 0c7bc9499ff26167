// Sends email by SMTP or, if no mail server is configured, writes it to a file in the data directory.

import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../values/id.ts'
import type { Mail } from './mail.ts'

export type SendMail = (mail: Mail) => Promise<void>

/**
 * The timeout for each step of the SMTP conversation. Emails are sent by jobs, so no request waits for the mail
 * server.
 */
const TIMEOUT_MS = 10_000

export type MailConfig = { smtpUrl: string | undefined; mailFrom: string; dataDir: string }

export function mailSender({ smtpUrl, mailFrom, dataDir }: MailConfig): SendMail {
  return smtpUrl === undefined ? toFile(join(dataDir, 'mail'), mailFrom) : bySmtp(smtpUrl, mailFrom)
}

function bySmtp(url: string, from: string): SendMail {
  return async mail => {
    // The mail library is loaded when the first email is sent, because it uses 5 MB of memory and most processes
    // never send an email.
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
      // Prevents the library from treating text in an email as a path to read or a URL to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    await transport.sendMail({ ...mail, from })
  }
}

/**
 * Writes emails to files whose names sort by time. Each file is written and then renamed, so that readers never see
 * a partial file.
 */
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
