import type { Call } from './call.ts'
import {
  confirmPasswordReset,
  type Login,
  type LoginBody,
  login,
  logout,
  type RequestPasswordResetBody,
  refresh,
  requestPasswordReset,
} from './generated/index.ts'

/** None of these sends the client's credential, or asks for it. */
export const authOf = ({ anonymous: call }: Call) => ({
  /**
   * Logs a dashboard user in. The access token is good for `expires_in` seconds.
   *
   * @example
   * const { access_token, refresh_token } = await gapura.auth.login({ email, password })
   */
  login: (body: LoginBody): Promise<Login> => call.once(options => login({ ...options, body })),

  /**
   * The next access token, and the next refresh token: the one sent is spent. Keep the new one before you use
   * the access token.
   *
   * @example
   * session = await gapura.auth.refresh(session.refresh_token)
   */
  refresh: (refreshToken: string): Promise<Login> =>
    // A repeat at once is answered again; giving up would leave the session with a spent token.
    call.repeatable(options => refresh({ ...options, body: { refresh_token: refreshToken } })),

  /**
   * Ends the session of a refresh token; an unknown one is answered alike.
   *
   * @example
   * await gapura.auth.logout(session.refresh_token)
   */
  logout: (refreshToken: string): Promise<{ logged_out: true }> =>
    call.repeatable(options => logout({ ...options, body: { refresh_token: refreshToken } })),

  /**
   * Mails a token to the address, if it is of a user of that tenant; the answer does not tell.
   *
   * @example
   * await gapura.auth.requestPasswordReset({ tenant_id: tenantId, email })
   */
  requestPasswordReset: (body: RequestPasswordResetBody): Promise<{ requested: true }> =>
    call.once(options => requestPasswordReset({ ...options, body })),

  /**
   * Sets the new password with the token from the mail, and ends every session of the user.
   *
   * @example
   * await gapura.auth.confirmPasswordReset({ token, newPassword })
   */
  confirmPasswordReset: ({
    token,
    newPassword,
  }: {
    token: string
    newPassword: string
  }): Promise<{ reset: true }> =>
    call.once(options => confirmPasswordReset({ ...options, body: { token, new_password: newPassword } })),
})
