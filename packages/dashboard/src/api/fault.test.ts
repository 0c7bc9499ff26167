import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { faultOf } from './fault.ts'
import { RestError } from './rest-error.ts'

const failure = (message: string, data: object) =>
  TRPCClientError.from({ error: { message, code: -32600, data } })

test('the dashboard reads the error ID, the parameters and the form field from an API error', () => {
  const data = {
    errorCode: 'BAD_REQUEST',
    fault: 'number_too_small',
    params: { min: 1 },
    field: 'items.0.price',
  }
  expect(faultOf(failure('bad request: items.0.price: must be at least 1', data))).toEqual({
    ...{ isOfPage: false, isPassing: false, code: 'BAD_REQUEST', id: 'number_too_small', params: { min: 1 } },
    ...{ field: 'items.0.price', message: 'must be at least 1' },
  })
})

test('the dashboard shows a REST API error with its code and its English message', () => {
  const error = new RestError({ code: 'BAD_REQUEST', message: 'bad request: line 3: is not CSV' })
  expect(faultOf(error)).toMatchObject({ code: 'BAD_REQUEST', id: undefined, message: 'line 3: is not CSV' })
})

test.each([
  'Failed to fetch dynamically imported module: http://127.0.0.1:8080/dashboard/assets/a.js',
  'error loading dynamically imported module: http://127.0.0.1:8080/dashboard/assets/a.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /dashboard/assets/a.css',
])(
  "the browser's error for a script that failed to load counts as a temporary error, not as a bug of the page: %s",
  message => {
    expect(faultOf(new TypeError(message))).toMatchObject({ isOfPage: false, code: '', isPassing: true })
  },
)
