// Tests the second factor in the dashboard: an authenticator app, and passkeys with Chromium's virtual
// authenticator. The public URL uses the host localhost, because browsers do not allow passkeys for IP addresses.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { appCode } from '../../packages/server/test/support/authenticator-app.ts'
import { newPlace, removePlace, startService } from '../../packages/server/test/support/service.ts'
import { barriers } from '../site/browser.ts'
import { openDashboard, picture, settled } from './dashboard.ts'
import { fillLogin } from './login.page.ts'

async function serviceAtLocalhost() {
  const place = await newPlace()
  const { port } = place
  const origin = `http://localhost:${port}`
  const service = await startService(place, { GAPURA_PUBLIC_URL: origin })
  return {
    origin,
    demo: service.demo,
    async [Symbol.asyncDispose]() {
      await service.stop()
      await removePlace(place)
    },
  }
}

async function addVirtualAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}

const languages = [
  {
    locale: 'en-GB',
    enable: 'Enable app',
    code: 'Code',
    current: 'Current password',
    stored: 'I have saved the codes',
    addPasskey: 'Add passkey',
    usePasskey: 'Use passkey',
    logIn: 'Log in',
    back: 'Back to login',
    second: 'Second factor',
    logOut: 'Log out',
    passkey: /Chrome, Linux/,
  },
  {
    locale: 'id-ID',
    enable: 'Aktifkan aplikasi',
    code: 'Kode',
    current: 'Kata sandi saat ini',
    stored: 'Kode sudah saya simpan',
    addPasskey: 'Tambah kunci sandi',
    usePasskey: 'Gunakan kunci sandi',
    logIn: 'Masuk',
    back: 'Kembali ke halaman masuk',
    second: 'Faktor kedua',
    logOut: 'Keluar',
    passkey: /Chrome, Linux/,
  },
]

test.each(languages)(
  'in the language $locale, a user adds an authenticator app and a passkey, and can log in with either factor',
  async t => {
    await using service = await serviceAtLocalhost()
    const { origin, demo } = service
    const dashboard = await openDashboard(demo.client, { locale: t.locale }, origin)
    const { page, complaints } = dashboard
    await addVirtualAuthenticator(page)

    await dashboard.go('/security')
    expect(await barriers(page)).toEqual([])
    await picture(dashboard, `security, ${t.locale}`)
    await page.getByRole('button', { name: t.enable }).click()
    const dialog = page.getByRole('dialog')
    const secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
    await picture(dashboard, `security, enable app, ${t.locale}`)
    await dialog.getByRole('textbox', { name: t.code }).fill(appCode(secret, new Date()))
    await dialog.getByLabel(t.current).fill(demo.client.password)
    await dialog.locator('button[type=submit]').click()
    await page.getByRole('button', { name: t.stored }).waitFor()
    await picture(dashboard, `security, recovery codes, ${t.locale}`)
    const codes =
      (await page
        .getByRole('dialog')
        .getByText(/^[a-z2-9]{5}-[a-z2-9]{5}/)
        .textContent()) ?? ''
    await page.getByRole('button', { name: t.stored }).click()

    await page.getByRole('button', { name: t.addPasskey }).click()
    await page.getByRole('dialog').locator('button[type=submit]').click()
    await page.getByText(t.passkey).first().waitFor()

    const logOutAndIn = async () => {
      await page.getByRole('button', { name: t.logOut }).click()
      await page.waitForURL('**/dashboard/login')
      await fillLogin(page, demo.client)
      await page.getByRole('button', { name: t.logIn }).click()
      await page.getByRole('heading', { level: 1, name: t.second }).waitFor()
    }
    await logOutAndIn()
    expect(await barriers(page)).toEqual([])
    await picture(dashboard, `login, second factor, ${t.locale}`)
    await page.getByRole('button', { name: t.usePasskey }).click()
    await page.waitForURL(url => /\/dashboard\/?$/.test(url.pathname))
    await settled(dashboard)

    await logOutAndIn()
    // When the user goes back, the login form shows no error, because being asked for the second factor is not an
    // error.
    await page.getByRole('button', { name: t.back }).click()
    await page.getByRole('textbox', { name: /email/i }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await fillLogin(page, demo.client)
    await page.getByRole('button', { name: t.logIn }).click()
    await page.getByRole('textbox', { name: t.code }).fill('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByRole('textbox', { name: t.code }).fill(codes.slice(0, 11))
    await page.keyboard.press('Enter')
    await page.waitForURL(url => /\/dashboard\/?$/.test(url.pathname))
    // The browser reports each 401 response to a login that still needs the second factor. These console errors are
    // expected.
    expect(complaints.filter(each => !/401/.test(each))).toEqual([])
  },
)

test('adding a passkey as the first second factor requires the current password', async () => {
  await using service = await serviceAtLocalhost()
  const { origin, demo } = service
  const dashboard = await openDashboard(demo.client, { locale: 'en-GB' }, origin)
  const { page, complaints } = dashboard
  await addVirtualAuthenticator(page)
  await dashboard.go('/security')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog')
  const submit = dialog.locator('button[type=submit]')
  await submit.click()
  await dialog.getByText(/must not be empty/i).waitFor()
  await dialog.getByLabel('Current password').fill('a wrong password')
  await submit.click()
  await dialog.getByText(/the password is wrong/i).waitFor()
  await picture(dashboard, 'security, first passkey')
  await dialog.getByLabel('Current password').fill(demo.client.password)
  await submit.click()
  await page.getByRole('button', { name: 'I have saved the codes' }).click()
  await page
    .getByText(/Chrome, Linux/)
    .first()
    .waitFor()
  // The browser reports the 400 response to the wrong password as a console error, so the test expects this
  // error.
  expect(complaints.filter(each => !/400/.test(each))).toEqual([])
})
