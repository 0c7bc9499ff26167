// Prepares data for the API examples about users, sessions, and second factors (example-scenes.ts).

import { createUser } from '../../src/auth/users/create-user.ts'
import { accountExamples } from '../../src/openapi/account-examples.ts'
import { exampleId } from '../../src/openapi/example-parts.ts'
import { newId } from '../../src/values/id.ts'
import type { TestApp } from '../support/app.ts'
import { appCode } from '../support/authenticator-app.ts'
import { invitationTokenIn, mailsTo, resetTokenIn } from '../support/mail.ts'
import { http, until } from '../support/merchant.ts'
import type { Stage } from './example-scenes.ts'

const FACTOR = '/v1/account/second-factor'
const password = 'correct horse battery staple'

export function accountScenes({
  app,
  demo,
  dataDir,
}: TestApp): Record<string, (scene: Stage) => Promise<void>> {
  const tenantOf = (scene: Stage) => scene.real[exampleId(10)] ?? ''

  /** Adds a user to the Client's team. The examples about users change this user. */
  async function colleague(scene: Stage, given: { password?: string } = { password }) {
    const email = `${newId()}@example.com`
    const user = { email, permissions: ['finance'] as const, ...given }
    scene.real[exampleId(11)] = (await createUser(app, null, tenantOf(scene), user)).id
    scene.real['sari@example.com'] = email
  }
  const invited = (scene: Stage) => colleague(scene, {})

  /**
   * Starts the setup of an authenticator app. The code in the API examples is replaced with the app's current code.
   */
  async function started(scene: Stage): Promise<string> {
    const { data } = await scene.asUser('POST', `${FACTOR}/totp`)
    scene.real['123456'] = appCode(data.secret, app.clock())
    return data.secret
  }
  async function enrolled(scene: Stage): Promise<void> {
    const secret = await started(scene)
    const { data } = await scene.asUser('POST', `${FACTOR}/totp/confirm`, {
      code: scene.real['123456'],
      current_password: password,
    })
    scene.real['k7m2p-x4w9q'] = data.recovery_codes[0]
    // Uses the next code of the authenticator app. The service already accepts this code, and no request has
    // used it yet.
    scene.real['123456'] = appCode(secret, new Date(app.clock().getTime() + 30_000))
  }

  async function passkey(scene: Stage): Promise<void> {
    const id = newId()
    scene.real[exampleId(19)] = id
    await app.db.raw(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       values (:id, :userId, :id::text, '', 0, '{}', 'Laptop', now())`,
      { id, userId: scene.real[exampleId(11)] ?? '' },
    )
  }

  return {
    createUser: async scene => {
      scene.real['sari@example.com'] = `${newId()}@example.com`
    },
    updateUser: colleague,
    removeUser: colleague,
    resetSecondFactor: colleague,
    resendInvitation: invited,
    async acceptInvitation(scene) {
      await invited(scene)
      const email = scene.real['sari@example.com'] ?? ''
      const mail = await until('the mail arrives', async () => (await mailsTo(dataDir, email))[0])
      scene.real.gp_invite_Zm9v = invitationTokenIn(mail)
    },
    async confirmPasswordReset(scene) {
      const [tenant_id, email] = [tenantOf(scene), scene.real['client@example.com'] ?? '']
      await http('POST', `${demo.base_url}/v1/auth/password-reset/request`, { body: { tenant_id, email } })
      const mail = await until('the mail arrives', async () => (await mailsTo(dataDir, email))[0])
      scene.real.gp_reset_Zm9v = resetTokenIn(mail)
    },
    async getBranding(scene) {
      await scene.asUser('PUT', '/v1/branding', accountExamples.setBranding?.request?.all as object)
    },
    async listSessions(scene) {
      await app.db.raw('update sessions set user_agent = ? where user_id = ?', [
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
        scene.real[exampleId(11)] ?? '',
      ])
    },
    async endOtherSessions(scene) {
      const body = { email: scene.real['client@example.com'], password }
      for (let n = 0; n < 2; n++) await http('POST', `${demo.base_url}/v1/auth/login`, { body })
    },
    async endSession(scene) {
      const { data } = await scene.asUser('GET', '/v1/account/sessions')
      scene.real[exampleId(18)] = data.items[0].id
    },
    confirmTotp: async scene => void (await started(scene)),
    removeTotp: enrolled,
    async getSecondFactor(scene) {
      await enrolled(scene)
      await passkey(scene)
    },
    renewRecoveryCodes: enrolled,
    confirmSecondFactor: enrolled,
    setSecurity: enrolled,
    async removePasskey(scene) {
      await enrolled(scene)
      await passkey(scene)
    },
    async completeLogin(scene) {
      await enrolled(scene)
      const { error } = await http('POST', `${demo.base_url}/v1/auth/login`, {
        body: { email: scene.real['client@example.com'], password },
      })
      scene.real.gp_challenge_Zm9v = (error as unknown as { challenge: string }).challenge
    },
    'a user with a second factor': enrolled,
    'a tenant that requires a second factor': async scene => {
      await enrolled(scene)
      await scene.asUser('PUT', '/v1/account/security', { second_factor_required: true })
    },
  }
}
