// Parses API errors. The tRPC API sends an error's ID and parameters; the REST API sends only an English message.

import { TRPCClientError } from '@trpc/client'
import { RestError } from './rest-error.ts'
import { isScriptLost } from './script-lost.ts'

export type Fault = {
  /**
   * True if the dashboard's own code threw the error, for example because of a bug. False if the reason is a
   * failed API call or a script that could not be loaded.
   */
  isOfPage: boolean
  /** The API's error code. It is empty if the client received no response. */
  code: string
  /** The error's ID in the service's error catalog, and the parameters for the error's text. */
  id: string | undefined
  params: unknown
  /** The form field that caused the error. */
  field: string | undefined
  /** The English message of an API error, without its prefix for the kind of error, such as `not found: `. */
  message: string
  /** True if the error may be temporary. In that case, a retry of the request may succeed. */
  isPassing: boolean
}

/**
 * The data for the second step of a login, which follows after the password was accepted. `challenge` identifies the
 * login, and `methods` lists the user's second factors.
 */
export type LoginChallenge = { challenge: string; methods: string[] }

/** Returns the login challenge if the API error means that the login still needs the second factor. */
export const challengeIn = (error: unknown): LoginChallenge | undefined =>
  error instanceof TRPCClientError && error.data?.errorCode === 'OTP_REQUIRED' ? error.data.shown : undefined

const passing = ['SERVICE_UNAVAILABLE', 'RATE_LIMITED', '']

const kinds =
  /^(bad request|not found|conflict|forbidden|unauthorized|second factor required|rate limited|service unavailable): /

const unknown = { id: undefined, params: {}, field: undefined }

export function faultOf(error: unknown): Fault {
  if (isScriptLost(error))
    return { ...unknown, isOfPage: false, code: '', message: error.message, isPassing: true }
  if (!(error instanceof TRPCClientError || error instanceof RestError))
    return { ...unknown, isOfPage: true, code: '', message: String(error), isPassing: false }
  const message = error.message.replace(kinds, '')
  if (error instanceof RestError)
    return { ...unknown, isOfPage: false, code: error.code, message, isPassing: passing.includes(error.code) }
  const { errorCode: code = '', fault: id, params = {}, field } = error.data ?? {}
  return {
    ...{ isOfPage: false, code, id, params, field },
    message: message.replace(`${field}: `, ''),
    isPassing: passing.includes(code),
  }
}
