import { createRefundInput } from '@gapura/server/refund-input'
import { Alert, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { faultOf } from '../api/fault.ts'
import { queryClient } from '../api/query-client.ts'
import { client, type Inputs, type Outputs, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useFaultText } from '../language/fault-texts.ts'
import { useWords } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useFailureWords } from '../payments/use-failure.ts'
import { BankAccountFields } from './bank-account-fields.tsx'
import { isOutcomeUnknown } from './outcome-unknown.ts'
import { refreshRefunds } from './refresh-refunds.ts'
import { centsOfDraft, type Draft } from './refund-draft.ts'
import { refundFormWords } from './refund-form-words.ts'
import { ruleAgainst } from './refund-rule.ts'
import { useRefundRule } from './refund-rule-words.ts'
import { RefundTerms } from './refund-terms.tsx'
import type { RefundOffer } from './refund-words.ts'

/**
 * Returns whether the request failed because an earlier request with the same idempotency key created a
 * refund with different details.
 */
const isReused = (error: unknown): boolean => faultOf(error).id === 'idempotency_key_reused'

type Created = Outputs['refunds']['create'] & {
  /**
   * True if the page listed this refund before it sent the request. An earlier request with the same idempotency key
   * then created the refund, but its response was lost. The form informs the user, who may have wanted a second refund
   * of the same amount.
   */
  isEarlier: boolean
}

type Given = {
  paymentId: string
  offer: RefundOffer
  idempotencyKey: string
  /** Whether a request with the idempotency key was sent before the user opened this page. */
  wasSentBefore: boolean
  /** Stores the idempotency key before a request with it is sent. The key stays in use until `renewKey` replaces it. */
  keepKey: () => void
  /** Replaces the idempotency key, because a refund was already created with the current key. */
  renewKey: () => void
  close: () => void
}

export default function RefundForm({
  paymentId,
  offer,
  idempotencyKey,
  wasSentBefore,
  keepKey,
  renewKey,
  close,
}: Given) {
  const t = useWords(refundFormWords)
  const { money } = useFormat()
  const faultText = useFaultText()
  const failureInWords = useFailureWords()
  // The refund offer (the amount and terms) at the time of a request whose outcome is unknown. A retry is checked
  // against this offer, because the current offer may already exclude the refund that the first request created.
  const [sentWith, setSentWith] = useState<RefundOffer>()
  const limits = sentWith ?? offer
  const ruleInWords = useRefundRule(limits)
  const ruleOf = (draft: Draft) => ruleAgainst(limits, centsOfDraft(draft), new Date())
  const wantedOf = (draft: Draft) => ({
    ...(draft.amount !== null && { amount: draft.amount }),
    ...(draft.reason !== '' && { reason: draft.reason }),
    ...(ruleOf(draft) && { bank_account: draft.bank_account }),
  })
  const checks = useChecks(createRefundInput)
  const form = useForm<Draft>({
    initialValues: {
      amount: offer.left,
      reason: '',
      bank_account: { bank: '', number: '', holder_name: '' },
    },
    validate: values => ({
      ...checks({ ...wantedOf(values), amount: values.amount ?? 0 }),
      ...(centsOfDraft(values) > limits.left && {
        amount: faultText({ id: 'refund_exceeds_left', params: { left: limits.left }, message: '' }),
      }),
    }),
  })
  const cents = centsOfDraft(form.values)
  const broken = ruleOf(form.values)
  const refunding = useAct<Inputs['refunds']['create'], Created>({
    async mutationFn(wanted) {
      const ofPayment = trpc.refunds.ofPayment.queryOptions({ payment_id: paymentId })
      // If a request with this key was sent before this visit, it may have created a refund. The current refunds are
      // then loaded first.
      const shown = wasSentBefore
        ? await queryClient.fetchQuery({ ...ofPayment, staleTime: 0 })
        : (queryClient.getQueryData(ofPayment.queryKey) ?? [])
      const refund = await client.refunds.create.mutate(wanted, { context: { idempotencyKey } })
      return { ...refund, isEarlier: shown.some(({ id }) => id === refund.id) }
    },
    form,
    onMutate() {
      keepKey()
      setSentWith(limits)
    },
    onSuccess(refund) {
      if (refund.isEarlier) return
      const isFailed = refund.status === 'failed'
      notifications.show({
        title: t.done[refund.status],
        message:
          isFailed && refund.failure_reason ? failureInWords(refund.failure_reason) : money(refund.amount),
        color: isFailed ? 'red' : 'teal',
        autoClose: isFailed ? 10_000 : 4_000,
      })
    },
    onError(error) {
      // A rejected request created no refund. From now on, the form values are checked against the payment's current
      // refund limits again.
      if (!isOutcomeUnknown(error)) setSentWith(undefined)
    },
    // A request without a response may have created the refund, so the page reloads the refunds even after an error.
    // The form does not wait for the reload, so that it shows the error immediately.
    onSettled() {
      void refreshRefunds(paymentId)
    },
  })
  const send = (values: Draft) =>
    refunding.mutate({ payment_id: paymentId, ...wantedOf(values) } as Inputs['refunds']['create'], {
      // These functions run only if the form is still open. If the user has closed the form, the key stays the same.
      // The next request then creates no second refund, and its response shows the user that the refund already exists.
      onSuccess({ isEarlier }) {
        renewKey()
        if (isEarlier) setSentWith(undefined)
        else close()
      },
      onError(error) {
        if (isReused(error)) renewKey()
      },
    })
  const isRecorded = refunding.data?.isEarlier || isReused(refunding.error)
  const refusal = isRecorded ? t.recordedBefore : refunding.refusal
  return (
    <form noValidate onSubmit={form.onSubmit(send)}>
      <Stack>
        <RupiahInput
          label={t.amount}
          description={t.left(money(offer.left), money(offer.amount_paid))}
          required
          data-autofocus
          {...form.getInputProps('amount')}
        />
        {broken && (
          <Alert color="orange" icon={<IconInfoCircle />} role="status">
            {ruleInWords(broken)} {t.byHand}
          </Alert>
        )}
        {broken && <BankAccountFields form={form} />}
        <Textarea
          label={t.reason}
          description={t.reasonHint}
          autosize
          minRows={2}
          {...form.getInputProps('reason')}
        />
        {!broken && <RefundTerms offer={offer} />}
        <Text size="sm">{(broken ? t.effect.manual : t.effect.provider)(money(cents), offer.provider)}</Text>
        <ActRow
          back={close}
          act={t.refund(money(cents))}
          isActing={refunding.isPending}
          refusal={refusal ?? (form.errors.bank_account as string | undefined)}
          isDisabled={cents === 0}
          isGrave
        />
      </Stack>
    </form>
  )
}
