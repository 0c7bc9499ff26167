// What went wrong, as the API tells it: `bad request: callback_url: must be https` is a sentence about a field.

import { TRPCClientError } from '@trpc/client'

export type Fault = {
  /** Of the API's table of errors; empty where no answer came. */
  code: string
  /** The field of the form that it is about. */
  field: string | undefined
  message: string
  /** The same again may succeed. */
  isPassing: boolean
}

const passing = ['SERVICE_UNAVAILABLE', 'RATE_LIMITED', '']

export function faultOf(error: unknown): Fault {
  if (!(error instanceof TRPCClientError))
    return { code: '', field: undefined, message: String(error), isPassing: false }
  const code = String(error.data?.code ?? '')
  const [, field, said] =
    /^(?:bad request|conflict|forbidden): ([a-z_][\w.]*): (.*)$/s.exec(error.message) ?? []
  return {
    code,
    field,
    message: said ?? error.message.replace(/^(bad request|not found|conflict|forbidden|unauthorized): /, ''),
    isPassing: passing.includes(code),
  }
}
