import { expect, test } from 'vitest'
import { legible } from './legible.ts'

test('the dashboard indents a request or response body, but leaves an unknown format unchanged', () => {
  expect(legible('{"a":{"b":1}}')).toBe('{\n  "a": {\n    "b": 1\n  }\n}')
  expect(legible('status=PAID&name=Budi%20S')).toBe('status = PAID\nname = Budi S')
  expect(legible('<xml a="1"/>')).toBe('<xml a="1"/>')
  expect(legible('{"cut": "he')).toBe('{"cut": "he')
})
