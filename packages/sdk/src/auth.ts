import type { ApiPromise } from './api-promise.ts'
import type { CallOptions } from './call.ts'
import {
  confirmPasswordReset,
  login,
  logout,
  refresh,
  requestPasswordReset,
} from './generated/operations.gen.ts'
import type { Login, LoginBody, RequestPasswordResetBody } from './generated/types.gen.ts'
import { Resource } from './resource.ts'

/** Log in and out. These calls need no credential and send none. */
export class AuthResource extends Resource {
  /**
   * Logs in a dashboard user. The access token is valid for `expires_in` seconds. Throws `UnauthorizedError` if the
   * password is wrong.
   *
   * @example
   * const { access_token, refresh_token } = await gapura.auth.login({ email, password })
   */
  login(body: LoginBody, options?: CallOptions): ApiPromise<Login> {
    return this.call.anonymous.once(login, { body }, options)
  }

  /**
   * Exchanges a refresh token for a new access token and a new refresh token. The old refresh token is then used up.
   * Store the new refresh token before you use the access token.
   *
   * @example
   * session = await gapura.auth.refresh(session.refresh_token)
   */
  refresh(refreshToken: string, options?: CallOptions): ApiPromise<Login> {
    // This call is retried, because the service accepts a used refresh token once more for ten seconds. Without a
    // retry, a lost response would leave the session with a used token.
    return this.call.anonymous.repeatable(refresh, { body: { refresh_token: refreshToken } }, options)
  }

  /**
   * Ends the session to which the refresh token belongs. An unknown token gets the same response.
   *
   * @example
   * await gapura.auth.logout(session.refresh_token)
   */
  logout(refreshToken: string, options?: CallOptions): ApiPromise<{ logged_out: true }> {
    return this.call.anonymous.repeatable(logout, { body: { refresh_token: refreshToken } }, options)
  }

  /**
   * Sends a reset token by email if the address belongs to a user of the tenant. The response does not show whether it
   * does.
   *
   * @example
   * await gapura.auth.requestPasswordReset({ tenant_id: tenantId, email })
   */
  requestPasswordReset(
    body: RequestPasswordResetBody,
    options?: CallOptions,
  ): ApiPromise<{ requested: true }> {
    return this.call.anonymous.once(requestPasswordReset, { body }, options)
  }

  /**
   * Sets a new password with the token from the email. All sessions of the user end.
   *
   * @example
   * await gapura.auth.confirmPasswordReset({ token, newPassword })
   */
  confirmPasswordReset(
    {
      token,
      newPassword,
    }: {
      token: string
      newPassword: string
    },
    options?: CallOptions,
  ): ApiPromise<{ reset: true }> {
    return this.call.anonymous.once(
      confirmPasswordReset,
      { body: { token, new_password: newPassword } },
      options,
    )
  }
}
