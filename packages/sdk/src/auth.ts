import type { ApiPromise } from './api-promise.ts'
import type { CallOptions } from './call.ts'
import {
  acceptInvitation,
  completeLogin,
  confirmPasswordReset,
  login,
  logout,
  refresh,
  requestPasswordReset,
} from './generated/operations.gen.ts'
import type { CompleteLoginBody, Login, LoginBody, RequestPasswordResetBody } from './generated/types.gen.ts'
import { Resource } from './resource.ts'

/** Login, logout, password reset and invitations. These calls do not send the client's credential. */
export class AuthResource extends Resource {
  /**
   * Logs in a dashboard user. The access token is valid for `expires_in` seconds. Throws `UnauthorizedError`
   * if the password is wrong. Throws `OtpRequiredError` with a `challenge` if the user has a second factor.
   *
   * @example
   * const { access_token, refresh_token } = await gapura.auth.login({ email, password })
   */
  login(body: LoginBody, options?: CallOptions): ApiPromise<Login> {
    return this.call.anonymous.once(login, { body }, options)
  }

  /**
   * Completes a login that threw `OtpRequiredError`. Pass the error's `challenge` and either an authenticator app
   * code or a recovery code.
   *
   * @example
   * const session = await gapura.auth.completeLogin({ challenge, code: '123456' })
   */
  completeLogin(body: CompleteLoginBody, options?: CallOptions): ApiPromise<Login> {
    return this.call.anonymous.once(completeLogin, { body }, options)
  }

  /**
   * Exchanges a refresh token for a new access token and a new refresh token. The old refresh token becomes
   * invalid, so store the new one before you use the access token.
   *
   * @example
   * session = await gapura.auth.refresh(session.refresh_token)
   */
  refresh(refreshToken: string, options?: CallOptions): ApiPromise<Login> {
    // A refresh is retried, so that a lost response does not end the session. This is possible because the
    // service accepts an already used refresh token again within ten seconds.
    return this.call.anonymous.repeatable(refresh, { body: { refresh_token: refreshToken } }, options)
  }

  /**
   * Ends the session that the refresh token belongs to. The response is the same for an unknown refresh token.
   *
   * @example
   * await gapura.auth.logout(session.refresh_token)
   */
  logout(refreshToken: string, options?: CallOptions): ApiPromise<{ logged_out: true }> {
    return this.call.anonymous.repeatable(logout, { body: { refresh_token: refreshToken } }, options)
  }

  /**
   * If the address belongs to one of the tenant's users, sends a password-reset token to this address. The response
   * is the same for an unknown address, so it does not reveal which addresses exist.
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
   * Sets a new password with the token from the password-reset email. All of the user's sessions end.
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

  /**
   * Sets an invited user's first password with the token from the invitation.
   *
   * @example
   * await gapura.auth.acceptInvitation({ token, newPassword })
   */
  acceptInvitation(
    { token, newPassword }: { token: string; newPassword: string },
    options?: CallOptions,
  ): ApiPromise<{ accepted: true }> {
    return this.call.anonymous.once(acceptInvitation, { body: { token, new_password: newPassword } }, options)
  }
}
