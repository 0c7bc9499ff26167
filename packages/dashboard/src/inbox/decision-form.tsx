import {
  acceptMoneyInput,
  assignMoneyInput,
  dismissMoneyInput,
  refundMoneyInput,
} from '@gapura/server/decision-input'
import { Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { faultOf } from '../api/fault.ts'
import { client } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { BankAccountFields } from '../refunds/bank-account-fields.tsx'
import { doneWords, effectWords, verbWords } from './decision-words.ts'
import { effectOf, isUnreported, usualRefund, type Verb } from './decisions.ts'
import type { Money } from './inbox-words.ts'
import { ReasonInput } from './reason-input.tsx'
import { refreshInbox } from './refresh-inbox.ts'

const text = words({
  en: {
    reasonHint:
      'Your reason is saved with the record and in the audit log, for example: agreed with the payer by phone',
    payment: 'Payment',
    paymentHint: 'Payment code, for example GP261120-7Q4M2ZK8XW, or payment ID',
    amount: 'Amount to refund',
    noAmount: 'Enter an amount',
    refund: (sum: string) => `Refund ${sum}`,
    unconfirmed: 'Credit without the provider’s confirmation',
    unconfirmedHint:
      'Without this option, Gapura first checks that the provider received the money. Choose this option only if you have checked this yourself.',
    byTransfer: 'Transfer the money to the payer’s bank account yourself',
    byTransferHint: 'Choose this only if the provider cannot refund this money',
    amountHint: 'The provider did not report the amount. Look it up at the provider.',
    tooMuch: (sum: string) => `must not be more than the ${sum} received`,
  },
  id: {
    reasonHint:
      'Alasan disimpan bersama catatan ini dan di log audit, misalnya: disepakati dengan pembayar lewat telepon',
    payment: 'Pembayaran',
    paymentHint: 'Kode pembayaran, misalnya GP261120-7Q4M2ZK8XW, atau ID pembayaran',
    amount: 'Jumlah yang dikembalikan',
    noAmount: 'Masukkan jumlah',
    refund: (sum: string) => `Kembalikan ${sum}`,
    unconfirmed: 'Kreditkan tanpa konfirmasi penyedia',
    unconfirmedHint:
      'Tanpa opsi ini, Gapura lebih dulu memastikan ke penyedia bahwa dana ini sudah diterima. Pilih opsi ini hanya jika Anda sudah memeriksanya sendiri.',
    byTransfer: 'Transfer sendiri dananya ke rekening bank pembayar',
    byTransferHint: 'Pilih ini hanya jika penyedia tidak dapat mengembalikan dana ini',
    amountHint: 'Penyedia tidak melaporkan jumlahnya. Periksa jumlahnya di penyedia.',
    tooMuch: (sum: string) => `tidak boleh melebihi ${sum} yang diterima`,
  },
})

const schemas = {
  accept: acceptMoneyInput,
  assign: assignMoneyInput,
  refund: refundMoneyInput,
  dismiss: dismissMoneyInput,
}

export function DecisionForm({ verb, money, back }: { verb: Verb; money: Money; back: () => void }) {
  const t = useWords(text)
  const names = useWords(verbWords)
  const done = useWords(doneWords)
  const effects = useWords(effectWords)
  const format = useFormat()
  const queries = useQueryClient()
  const checks = useChecks(schemas[verb])
  const isPart = verb === 'accept' && money.kind === 'underpaid'
  const isMissing = isUnreported(money) && verb !== 'dismiss'
  // The form shows an amount field if the provider did not report the amount, or if a partial refund is possible. Money
  // that is not in the ledger can be refunded only in full.
  const hasAmount = isMissing || (verb === 'refund' && money.in_ledger)
  const form = useForm({
    initialValues: {
      reason: '',
      payment_id: '',
      amount: (isUnreported(money) ? null : usualRefund(money)) as number | null,
      is_transfer: false,
      without_confirmation: false,
      bank_account: { bank: '', number: '', holder_name: '' },
    },
    validate: values => ({
      ...checks({
        ...values,
        amount: values.amount ?? undefined,
        bank_account: values.is_transfer ? values.bank_account : undefined,
      }),
      // If the amount is omitted, the API refunds the default amount. A user who empties the field does not expect this.
      ...(hasAmount && !values.amount && { amount: t.noAmount }),
      ...(verb === 'refund' &&
        (values.amount ?? 0) > money.amount && { amount: t.tooMuch(format.money(money.amount)) }),
    }),
  })
  const decide = useAct({
    mutationFn: ({ reason, payment_id, amount, is_transfer, bank_account, ...flags }: typeof form.values) => {
      const wanted = { id: money.id, reason, ...(hasAmount && amount !== null && { amount }) }
      switch (verb) {
        case 'accept':
          return client.unexpectedMoney.accept.mutate({
            ...wanted,
            ...(isPart && flags),
          })
        case 'assign':
          return client.unexpectedMoney.assign.mutate({ ...wanted, payment_id })
        case 'refund':
          return client.unexpectedMoney.refund.mutate({ ...wanted, ...(is_transfer && { bank_account }) })
        case 'dismiss':
          return client.unexpectedMoney.dismiss.mutate({ id: money.id, reason })
      }
    },
    form,
    // If the payment is unknown, the API returns NOT_FOUND without a field. The error is then shown at the
    // payment ID field, where the user typed the ID.
    fieldOf: ({ code }) => (verb === 'assign' && code === 'NOT_FOUND' ? 'payment_id' : undefined),
    done: done[verb],
    // Only the service knows whether the provider can refund the money. If the provider cannot, the form asks for the
    // payer's bank account.
    onError: error => {
      const { id } = faultOf(error)
      if (id === 'bank_account_needed' || id === 'bank_account_for_assigned_money')
        form.setFieldValue('is_transfer', true)
    },
    onSuccess: async () => {
      await refreshInbox(queries)
      back()
    },
  })
  return (
    <form onSubmit={form.onSubmit(values => decide.mutate(values))} noValidate>
      <Stack>
        <Text size="sm">{effects[effectOf(verb, money)](format.money(money.amount))}</Text>
        {verb === 'assign' && (
          <TextInput
            label={t.payment}
            required
            description={t.paymentHint}
            data-autofocus
            {...form.getInputProps('payment_id')}
          />
        )}
        {hasAmount && (
          <RupiahInput
            label={t.amount}
            required
            {...(isMissing && { description: t.amountHint })}
            {...form.getInputProps('amount')}
          />
        )}
        {isPart && (
          <Checkbox
            label={t.unconfirmed}
            description={t.unconfirmedHint}
            {...form.getInputProps('without_confirmation', { type: 'checkbox' })}
          />
        )}
        {verb === 'refund' && money.payment_id !== null && (
          <Checkbox
            label={t.byTransfer}
            description={t.byTransferHint}
            {...form.getInputProps('is_transfer', { type: 'checkbox' })}
          />
        )}
        {form.values.is_transfer && <BankAccountFields form={form} />}
        <ReasonInput description={t.reasonHint} {...form.getInputProps('reason')} />
        <ActRow
          back={back}
          act={
            verb === 'refund' && hasAmount && form.values.amount
              ? t.refund(format.money(form.values.amount))
              : names[verb]
          }
          isActing={decide.isPending}
          refusal={decide.refusal ?? (form.errors.bank_account as string | undefined)}
          isGrave={verb === 'refund' || verb === 'dismiss'}
        />
      </Stack>
    </form>
  )
}
