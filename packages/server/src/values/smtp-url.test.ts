import { expect, test } from 'vitest'
import { isSmtpUrl } from './smtp-url.ts'

test.each([
  'smtp://127.0.0.1',
  'smtp://mail.example.com:25/',
  'smtps://user:secret@mail.example.com:465',
  'smtps://AKIA:Ab%2Fc%2Bd@email-smtp.ap-southeast-1.amazonaws.com:465',
  'smtps://user:se+cret=@mail.example.com?tls.rejectUnauthorized=false',
  'smtp://user:secret@[2001:db8::1]:587',
])('a complete URL of a mail server is accepted: %s', url => {
  expect(isSmtpUrl(url)).toBe(true)
})

test.each([
  'smtps://',
  'smtps://user:secret@',
  'smtps://AKIA:Ab/c+d@email-smtp.ap-southeast-1.amazonaws.com:465',
  'smtps://user:12/34@mail.example.com',
  'smtps://user:12?34@mail.example.com',
  'smtps://user:12#34@mail.example.com',
  'smtps://user:Ab#cd@mail.example.com',
  'smtps://user:100%@mail.example.com',
  'smtps://mail.example.com/inbox',
])(
  'a URL of a mail server whose password is not percent-encoded, or that has no host or a path, is rejected: %s',
  url => {
    expect(isSmtpUrl(url)).toBe(false)
  },
)
