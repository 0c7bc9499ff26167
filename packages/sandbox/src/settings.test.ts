import { expect, test } from 'vitest'
import { call, charge, methods } from '../test/support/merchant.ts'
import { startSandbox } from './server.ts'
import { defaultSettings, readSettings } from './settings.ts'

test('the sandbox uses its default settings if environment variables are empty or missing', () => {
  expect(readSettings({})).toEqual(defaultSettings)
  expect(readSettings({ SANDBOX_PORT: '', SANDBOX_DATA: '', SANDBOX_PUBLIC_URL: '' })).toEqual(
    defaultSettings,
  )
})

test('each environment variable of the sandbox sets the corresponding setting', () => {
  const settings = readSettings({
    SANDBOX_HOST: '::1',
    SANDBOX_PORT: '9000',
    SANDBOX_PUBLIC_URL: 'https://sandbox.example/',
    SANDBOX_DATA: '/data/sandbox.db',
    SANDBOX_NOTIFICATION_URL: 'http://127.0.0.1:3000/callbacks',
    SANDBOX_RETRY_SCALE: '0.5',
    SANDBOX_PENDING_NOTIFICATIONS: 'false',
    SANDBOX_CHAOS_SEED: 'monday',
    SANDBOX_CHAOS_LOSE: '0.1',
    SANDBOX_CHAOS_REPEAT: '0.2',
    SANDBOX_CHAOS_DELAY_MS: '300',
    SANDBOX_CHAOS_REORDER: '0.4',
    SANDBOX_CHAOS_FORGE: '0.5',
    SANDBOX_CHAOS_TIME_OUT_CREATES: '0.6',
  })
  expect(settings).toEqual({
    ...defaultSettings,
    host: '::1',
    port: 9000,
    publicUrl: 'https://sandbox.example',
    dataFile: '/data/sandbox.db',
    notificationUrl: 'http://127.0.0.1:3000/callbacks',
    retryScale: 0.5,
    pendingNotifications: false,
    chaos: {
      seed: 'monday',
      lose: 0.1,
      repeat: 0.2,
      delayMs: 300,
      reorder: 0.4,
      forge: 0.5,
      timeOutCreates: 0.6,
    },
  })
})

test('the sandbox reports all invalid environment variables in one error', () => {
  const faulty = {
    SANDBOX_PORT: '70000',
    SANDBOX_NOTIFICATION_URL: 'nowhere',
    SANDBOX_RETRY_SCALE: '-1',
    SANDBOX_PENDING_NOTIFICATIONS: 'maybe',
    SANDBOX_CHAOS_LOSE: '1.1',
    SANDBOX_CHAOS_DELAY_MS: 'long',
  }
  for (const name of Object.keys(faulty)) expect(() => readSettings(faulty)).toThrow(name)
})

test('payer links start with the configured public URL', async () => {
  const sandbox = await startSandbox({ port: 0, publicUrl: 'https://sandbox.example' })
  const { body } = await call(`${sandbox.url}/midtrans/v2/charge`, charge(methods.gopay))
  for (const action of body.actions) expect(action.url).toMatch(/^https:\/\/sandbox\.example\//)
  await sandbox.close()
})
