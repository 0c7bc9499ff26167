// Parses API errors. The tRPC API sends the id and the parameters of a fault, the REST API only an English message.

import { TRPCClientError } from '@trpc/client'
import { RestError } from './rest-error.ts'
import { isScriptLost } from './script-lost.ts'

export type Fault = {
  /** The error comes from the page itself, not from the API. */
  isOfPage: boolean
  /** Error code of the API; empty if no response was received. */
  code: string
  /** The id in the service's catalogue of faults, and the parameters of its text. */
  id: string | undefined
  params: unknown
  /** The form field that the error is about. */
  field: string | undefined
  /** In English, without the kind of the error. */
  message: string
  /** A retry of the same request may succeed. */
  isPassing: boolean
}

const passing = ['SERVICE_UNAVAILABLE', 'RATE_LIMITED', '']

const kinds = /^(bad request|not found|conflict|forbidden|unauthorized|rate limited|service unavailable): /

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
