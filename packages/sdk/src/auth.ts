import type { ApiPromise } from './api-promise.ts'
import type { Call, CallOptions } from './call.ts'
import {
  confirmPasswordReset,
  login,
  logout,
  refresh,
  requestPasswordReset,
} from './generated/operations.gen.ts'
import type { Login, LoginBody, RequestPasswordResetBody } from './generated/types.gen.ts'

/** None of these sends the client's credential, or asks for it. */
export const authOf = ({ anonymous: call }: Call) => ({
  /**
   * Logs a dashboard user in. The access token is good for `expires_in` seconds.
   *
   * @example
   * const { access_token, refresh_token } = await gapura.auth.login({ email, password })
   */
  login: (body: LoginBody, options?: CallOptions): ApiPromise<Login> => call.once(login, { body }, options),

  /**
   * The next access token, and the next refresh token: the one sent is spent. Keep the new one before you use
   * the access token.
   *
   * @example
   * session = await gapura.auth.refresh(session.refresh_token)
   */
  refresh: (refreshToken: string, options?: CallOptions): ApiPromise<Login> =>
    // A repeat at once is answered again; giving up would leave the session with a spent token.
    call.repeatable(refresh, { body: { refresh_token: refreshToken } }, options),

  /**
   * Ends the session of a refresh token; an unknown one is answered alike.
   *
   * @example
   * await gapura.auth.logout(session.refresh_token)
   */
  logout: (refreshToken: string, options?: CallOptions): ApiPromise<{ logged_out: true }> =>
    call.repeatable(logout, { body: { refresh_token: refreshToken } }, options),

  /**
   * Mails a token to the address, if it is of a user of that tenant; the answer does not tell.
   *
   * @example
   * await gapura.auth.requestPasswordReset({ tenant_id: tenantId, email })
   */
  requestPasswordReset: (
    body: RequestPasswordResetBody,
    options?: CallOptions,
  ): ApiPromise<{ requested: true }> => call.once(requestPasswordReset, { body }, options),

  /**
   * Sets the new password with the token from the mail, and ends every session of the user.
   *
   * @example
   * await gapura.auth.confirmPasswordReset({ token, newPassword })
   */
  confirmPasswordReset: (
    {
      token,
      newPassword,
    }: {
      token: string
      newPassword: string
    },
    options?: CallOptions,
  ): ApiPromise<{ reset: true }> =>
    call.once(confirmPasswordReset, { body: { token, new_password: newPassword } }, options),
})
