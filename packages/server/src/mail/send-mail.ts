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
    try {
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
    } catch (error) {
      throw withoutAddress(error)
    }
  }
}

/**
 * The codes of the mail library's errors about the connection. Their messages name the cause, such as an expired
 * certificate, and contain no email address unless they include a response of the mail server.
 */
const connectionErrors: unknown[] = ['ECONNECTION', 'EDNS', 'ESOCKET', 'ETIMEDOUT', 'ETLS']

/**
 * Returns the error to throw instead of the mail library's error, which usually contains the recipient's address, or the
 * server's URL with the password. Errors of jobs are logged, and neither must appear in the log.
 */
function withoutAddress(error: unknown): Error {
  const { code, responseCode, response, message } = error as Record<string, unknown>
  const isAboutConnection = connectionErrors.includes(code) && response === undefined
  const reason = isAboutConnection
    ? `${code}: ${message}`
    : `${code}, response code ${responseCode ?? 'none'}`
  return Object.assign(new Error(`the email could not be sent (${reason})`), { code, responseCode })
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
