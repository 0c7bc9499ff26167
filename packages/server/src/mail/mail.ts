// The mails that the service sends: plain text with instructions.

export type Mail = { to: string; subject: string; text: string }

export function passwordResetMail(reset: {
  to: string
  token: string
  publicUrl: string
  minutes: number
}): Mail {
  return {
    to: reset.to,
    subject: 'Set a new Gapura password',
    text: `Somebody, we hope you, asked for a new password for this address.

To set it, use this token within ${reset.minutes} minutes:

  ${reset.token}

Enter it at ${reset.publicUrl}/dashboard/reset-password?step=set
or send it yourself:

  curl ${reset.publicUrl}/v1/auth/password-reset/confirm \\
    -H 'Content-Type: application/json' \\
    -d '{ "token": "<the token>", "new_password": "<the new password>" }'

It works once, and logs you out everywhere. If it was not you, do nothing:
your password stays as it is.
`,
  }
}

export function ledgerDiffersMail(found: { to: string; count: number; publicUrl: string }): Mail {
  const differences = found.count === 1 ? 'a difference' : `${found.count} differences`
  return {
    to: found.to,
    subject: 'The Gapura ledger contradicts itself',
    text: `Gapura verified its ledger and found ${differences}.

An entry, a balance or a payment is not what it was when it was recorded.
The service goes on. Pay nothing out on the word of these balances until
you know why.

What was found:  ${found.publicUrl}/dashboard/inbox
The whole list:  gapura-server verify-ledger
What it means:   ${found.publicUrl}/docs/guides/verifying-the-ledger
`,
  }
}

export function reconciliationDiffersMail(found: { to: string; count: number; publicUrl: string }): Mail {
  const differences = found.count === 1 ? 'a new difference' : `${found.count} new differences`
  return {
    to: found.to,
    subject: 'The Gapura reconciliation found differences',
    text: `Gapura compared its payments with the ledger and the providers,
and found ${differences}.

Each waits in the Inbox until the books agree again or you close it.

What was found:  ${found.publicUrl}/dashboard/inbox?tab=differences
What it means:   ${found.publicUrl}/docs/reconciliation
`,
  }
}
