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

/** Calls that neither send nor request the client's credential. */
export const authOf = ({ anonymous: call }: Call) => ({
  /**
   * Logs a dashboard user in. The access token is valid for `expires_in` seconds. Throws `UnauthorizedError` if the
   * password is wrong.
   *
   * @example
   * const { access_token, refresh_token } = await gapura.auth.login({ email, password })
   */
  login: (body: LoginBody, options?: CallOptions): ApiPromise<Login> => call.once(login, { body }, options),

  /**
   * Exchanges a refresh token for a new access token and a new refresh token. The refresh token that you send is then
   * used. Store the new one before you use the access token.
   *
   * @example
   * session = await gapura.auth.refresh(session.refresh_token)
   */
  refresh: (refreshToken: string, options?: CallOptions): ApiPromise<Login> =>
    // Retried because the service accepts a used token once more for ten seconds. Without a retry, a lost response
    // would leave the session with a used token.
    call.repeatable(refresh, { body: { refresh_token: refreshToken } }, options),

  /**
   * Ends the session of a refresh token. An unknown token returns the same response.
   *
   * @example
   * await gapura.auth.logout(session.refresh_token)
   */
  logout: (refreshToken: string, options?: CallOptions): ApiPromise<{ logged_out: true }> =>
    call.repeatable(logout, { body: { refresh_token: refreshToken } }, options),

  /**
   * Sends a reset token by email if the address belongs to a user of that tenant. The response is the same in either
   * case.
   *
   * @example
   * await gapura.auth.requestPasswordReset({ tenant_id: tenantId, email })
   */
  requestPasswordReset: (
    body: RequestPasswordResetBody,
    options?: CallOptions,
  ): ApiPromise<{ requested: true }> => call.once(requestPasswordReset, { body }, options),

  /**
   * Sets the new password with the token from the email. All sessions of the user end.
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
