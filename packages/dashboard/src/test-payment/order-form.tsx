import { Grid, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useWords } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { Panel } from '../parts/panel.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { methodWords, type Payment } from '../payments/payment-words.ts'
import { createTestPayment, type TestOrder } from './create-test-payment.ts'
import { CurlExample } from './curl-example.tsx'
import { formWords } from './form-words.ts'
import { ItemFields } from './item-fields.tsx'
import type { OfferedMethod } from './offered-methods.ts'
import { channelOfDetail, type Draft, detailOf, draftSchema, orderOf } from './order.ts'

type Given = { methods: readonly OfferedMethod[]; onCreated: (payment: Payment) => void }

const START_CENTS = 50_000_00

const firstDetail = ({ type, channels: [channel] }: OfferedMethod) => detailOf(type, channel?.code ?? '')

export function OrderForm({ methods, onCreated }: Given) {
  const t = useWords(formWords)
  const names = useWords(methodWords)
  // The order's idempotency key. A second click on the button or a retry sends the same key, so it does not
  // create a second payment. A new key is created whenever the user changes the form.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const form = useForm<Draft>({
    initialValues: {
      amount: START_CENTS,
      ...startWith(methods[0] as OfferedMethod),
      customer_name: '',
      customer_email: '',
      customer_phone: '',
      items: [],
      expiry_minutes: '',
    },
    validate: useChecks(draftSchema),
    onValuesChange: () => setKey(crypto.randomUUID()),
  })
  const creating = useAct<TestOrder, Payment>({
    mutationFn: createTestPayment,
    form,
    onSuccess: onCreated,
  })
  const draft = form.getValues()
  const method = methods.find(({ type }) => type === draft.method_type)
  // For OVO, the form requires a phone number, because OVO identifies the customer by it.
  const needsPhone = /^ovo$/i.test(channelOfDetail(draft.method_detail))
  const channelError = Object.entries(form.errors).find(([field]) => field.startsWith('method_'))?.[1]

  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        given => creating.mutate({ order: orderOf(given), idempotencyKey: key }),
        errors => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
      )}
    >
      <Stack gap="lg">
        <Panel title={t.what}>
          <Grid mt="xs">
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <Select
                label={t.method}
                allowDeselect={false}
                data={methods.map(({ type }) => ({ value: type, label: names[type] }))}
                value={draft.method_type}
                onChange={type => {
                  const chosen = methods.find(offered => offered.type === type)
                  if (chosen) form.setValues(startWith(chosen))
                }}
              />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <Select
                label={t.channels[draft.method_type]}
                searchable
                allowDeselect={false}
                disabled={draft.method_type === 'qris'}
                data={method?.channels.map(({ code, name }) => ({ value: code, label: name })) ?? []}
                value={channelOfDetail(draft.method_detail)}
                onChange={code =>
                  code && form.setFieldValue('method_detail', detailOf(draft.method_type, code))
                }
                error={channelError}
              />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <RupiahInput label={t.amount} required {...form.getInputProps('amount')} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <NumberInput
                label={t.expiry}
                placeholder={t.expiryHint}
                allowDecimal={false}
                allowNegative={false}
                hideControls
                {...form.getInputProps('expiry_minutes')}
              />
            </Grid.Col>
          </Grid>
        </Panel>
        <Panel title={t.who}>
          <Grid mt="xs">
            <Grid.Col span={{ base: 12, sm: 4 }}>
              <TextInput label={t.name} autoComplete="off" {...form.getInputProps('customer_name')} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 4 }}>
              <TextInput
                label={t.email}
                type="email"
                autoComplete="off"
                {...form.getInputProps('customer_email')}
              />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 4 }}>
              <TextInput
                label={t.phone}
                placeholder={needsPhone ? undefined : t.phoneHint}
                required={needsPhone}
                type="tel"
                autoComplete="off"
                {...form.getInputProps('customer_phone')}
              />
            </Grid.Col>
          </Grid>
        </Panel>
        <Panel title={t.items}>
          <ItemFields form={form} />
        </Panel>
        <CurlExample order={orderOf(draft)} />
        <ActRow act={t.create} isActing={creating.isPending} refusal={creating.refusal} />
      </Stack>
    </form>
  )
}

const startWith = (method: OfferedMethod) => ({
  method_type: method.type,
  method_detail: firstDetail(method),
})
