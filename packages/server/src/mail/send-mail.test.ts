import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Mail, passwordResetMail } from './mail.ts'
import { mailSender } from './send-mail.ts'

const mailFrom = 'Gapura <no-reply@example.com>'
const token = 'gp_reset_Mf-KQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw_MfKQ9r8GK'
const mail: Mail = passwordResetMail({
  to: 'budi@example.com',
  tenantName: 'Toko Budi',
  token,
  publicUrl: 'https://pay.example.com',
  minutes: 30,
})

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gapura-mail-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

type Received = { from: string; to: string[]; user: string | undefined; source: string }

async function mailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'right' ? done(null, { user: username as string }) : done(new Error('no such login')),
    onData: (stream, session, done) => {
      void text(stream).then(source => {
        const { mailFrom: from, rcptTo } = session.envelope
        received.push({
          from: from ? from.address : '',
          to: rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
          source,
        })
        done()
      })
    },
    ...options,
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return { received, port, close: () => new Promise<void>(resolve => server.close(() => resolve())) }
}

/** Decodes quoted-printable text, as an email client does. */
const decoded = (source: string) =>
  source
    .replaceAll('\r\n', '\n')
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

describe('if a mail server is configured, the service sends its emails to this server', () => {
  test('the service sends an email to the configured server, with sender, recipient and instructions for the user', async () => {
    const server = await mailServer()
    await mailSender({ smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom, dataDir })(mail)
    await server.close()
    expect(server.received).toMatchObject([{ from: 'no-reply@example.com', to: ['budi@example.com'] }])
    const source = decoded(server.received[0]?.source ?? '')
    expect(source).toContain('Subject: Set a new Gapura password')
    expect(source).toContain(`\n  ${token}\n`)
    expect(source).toContain('https://pay.example.com/v1/auth/password-reset/confirm')
    expect(source).toContain('within 30 minutes')
    expect(await readdir(dataDir)).toEqual([])
  })

  test("the service logs in to the mail server with the credentials in the server's URL", async () => {
    const server = await mailServer({ authOptional: false, allowInsecureAuth: true })
    await mailSender({ smtpUrl: `smtp://mailer:right@127.0.0.1:${server.port}`, mailFrom, dataDir })(mail)
    await server.close()
    expect(server.received[0]?.user).toBe('mailer')
  })

  test.each([
    ['refuses the login', 'EAUTH, response code 535'],
    ['refuses the address', 'EENVELOPE, response code 550'],
    ['refuses the message', 'EMESSAGE, response code 552'],
    ['is not there', 'ESOCKET: connect ECONNREFUSED 127.0.0.1:1'],
    ['hangs up', 'ECONNECTION: Connection closed unexpectedly'],
    ['hangs up with a response', 'ECONNECTION, response code 421'],
  ])(
    'if the mail server %s, the error names the cause, but contains no email address, token or password',
    async (what, cause) => {
      const refusal = (responseCode: number) =>
        Object.assign(new Error(`<${mail.to}> is not welcome`), { responseCode })
      const server = await mailServer({
        allowInsecureAuth: true,
        onRcptTo: (_address, _session, done) =>
          done(what === 'refuses the address' ? refusal(550) : undefined),
        onData: (stream, _session, done) => {
          stream.resume().on('end', () => done(refusal(552)))
        },
      })
      const rude = createServer(socket =>
        socket.end(what === 'hangs up' ? '' : `421 <${mail.to}> is not welcome`),
      )
      await new Promise<void>(resolve => rude.listen(0, '127.0.0.1', resolve))
      const rudeUrl = `smtp://mailer:wr0ng-s3cret@127.0.0.1:${(rude.address() as AddressInfo).port}`
      const urls: Record<string, string> = {
        'refuses the login': `smtp://mailer:wr0ng-s3cret@127.0.0.1:${server.port}`,
        'refuses the address': `smtp://127.0.0.1:${server.port}`,
        'refuses the message': `smtp://127.0.0.1:${server.port}`,
        'is not there': 'smtp://mailer:wr0ng-s3cret@127.0.0.1:1',
      }
      const send = mailSender({ smtpUrl: urls[what] ?? rudeUrl, mailFrom, dataDir })
      const error = await send(mail).catch(thrown => thrown)
      await server.close()
      rude.close()
      expect(error.message).toBe(`the email could not be sent (${cause})`)
      expect(inspect(error, { depth: null })).not.toMatch(/gp_reset_|wr0ng-s3cret|budi@example\.com/)
    },
  )
})

test("if the mail server's URL is invalid, the error does not contain the URL", async () => {
  const send = mailSender({ smtpUrl: 'smtps://user:wr0ng/@mail.example.com:465', mailFrom, dataDir })
  const error = await send(mail).catch(thrown => thrown)
  expect(error.message).toMatch(/^the email could not be sent \(/)
  expect(inspect(error, { depth: null })).not.toMatch(/wr0ng|mail\.example\.com/)
})

describe('without a mail server, the service writes its emails to files', () => {
  test('without a mail server, an email is written to a file that only its owner can read', async () => {
    await mailSender({ smtpUrl: undefined, mailFrom, dataDir })(mail)
    const [file] = await readdir(join(dataDir, 'mail'))
    const path = join(dataDir, 'mail', file as string)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const written = await readFile(path, 'utf8')
    expect(written).toMatch(
      /^From: Gapura <no-reply@example\.com>\nTo: budi@example\.com\nSubject: Set a new/,
    )
    expect(written.endsWith(`\n\n${mail.text}`)).toBe(true)
  })

  test('without a mail server, emails are stored in files whose names sort by the time of writing', async () => {
    const send = mailSender({ smtpUrl: undefined, mailFrom, dataDir })
    for (let n = 0; n < 5; n++) await send({ ...mail, subject: `number ${n}` })
    const files = (await readdir(join(dataDir, 'mail'))).sort()
    const subjects = await Promise.all(
      files.map(async file => /number \d/.exec(await readFile(join(dataDir, 'mail', file), 'utf8'))?.[0]),
    )
    expect(subjects).toEqual(['number 0', 'number 1', 'number 2', 'number 3', 'number 4'])
  })
})
