import { expect, test } from 'vitest'
import { startWorker } from '../../src/jobs/worker.ts'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { newDeviceMailsTo } from '../support/mail.ts'
import { http, until } from '../support/merchant.ts'
import { usersOf } from '../support/user.ts'

const service = await testApp({ worker: false })
const call = (path: string, body: object, userAgent: string) =>
  http('POST', service.demo.base_url + path, { body, headers: { 'user-agent': userAgent } })

test('the email about a login shows the program that logged in, not the one that used the session last', async () => {
  const { email, password } = await usersOf(service).makeUser()
  const { data } = await call('/v1/auth/login', { email, password }, 'curl/8.9.1')
  await call('/v1/auth/refresh', { refresh_token: data.refresh_token }, 'python-requests/2.32')
  const worker = await startWorker(service.app, service.databaseUrl, { alone: true })
  atEnd(worker.stop)
  const mails = () => newDeviceMailsTo(service.dataDir, email)
  await until('the mail arrives', async () => (await mails()).length === 1)
  expect((await mails())[0]).toContain('Device:      curl\n')
})
