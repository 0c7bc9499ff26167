import { limitsInput } from '@gapura/server/limits-input'
import { Button, Group, NumberInput, SimpleGrid, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useLanguage, useWords, words } from '../language/language.tsx'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { Unsaved } from '../parts/unsaved.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useSettingsForm } from '../parts/use-settings-form.ts'
import { useIsPermitted } from '../session/account.ts'

const text = words({
  en: {
    requests_per_second: 'Requests per second',
    burst_seconds: 'Burst (seconds)',
    requests_in_flight: 'Requests in flight',
    about: {
      requests_per_second: 'The limit for each API key and for each user',
      burst_seconds: 'After a pause, a client can send the unused requests of this many seconds at once',
      requests_in_flight: 'The limit for each tenant, for all its API keys and users together',
    },
    save: 'Save',
    saved: 'Saved. The new limits apply within one second.',
    reset: 'Reset to defaults',
    wasReset: 'Limits reset. The defaults apply within one second.',
  },
  id: {
    requests_per_second: 'Permintaan per detik',
    burst_seconds: 'Lonjakan (detik)',
    requests_in_flight: 'Permintaan bersamaan',
    about: {
      requests_per_second: 'Per kunci API dan per pengguna',
      burst_seconds: 'Setelah jeda, jatah permintaan selama waktu ini dapat dikirim sekaligus',
      requests_in_flight: 'Batas setiap tenant, untuk semua kunci API dan penggunanya',
    },
    save: 'Simpan',
    saved: 'Tersimpan. Batas berlaku dalam satu detik.',
    reset: 'Kembalikan ke bawaan',
    wasReset: 'Dikembalikan. Batas bawaan berlaku dalam satu detik.',
  },
})

const names = ['requests_per_second', 'burst_seconds', 'requests_in_flight'] as const
type Name = (typeof names)[number]
type Limits = Pick<Outputs['limits']['ofTenant'], Name>
type Own = Partial<Record<Name, number | null>>
type Typed = Record<Name, number | string>

type Given = {
  limits: Limits
  /**
   * Whether the form sets the limits of a tier or of a tenant. If a limit is not set, a tenant inherits it from its
   * tier, and a tier inherits it from the defaults.
   */
  of: 'tenant' | 'tier'
  /** Returns the description of an empty field. The description shows the limit that is inherited. */
  inherits: (limit: string) => string
  save: (own: Own) => Promise<Limits>
  reset: () => Promise<Limits>
}

export function LimitsForm({ limits, of, inherits, save, reset }: Given) {
  const t = useWords(text)
  const format = useFormat()
  const [language] = useLanguage()
  const queries = useQueryClient()
  const isAdmin = useIsPermitted('admin')
  const checks = useChecks(limitsInput)
  const form = useSettingsForm({
    stored: typedOf(limits, of),
    validate: typed => checks(ownIn(typed)),
  })
  const onSuccess = (changed: Limits) => {
    form.showSaved(typedOf(changed, of))
    return queries.invalidateQueries({ queryKey: trpc.limits.pathKey() })
  }
  const saving = useAct({ mutationFn: save, form, done: t.saved, onSuccess })
  const resetting = useAct({ mutationFn: reset, done: t.wasReset, onSuccess })
  const isInherited = names.every(name => limits[name].source !== of)
  return (
    <form onSubmit={form.onSubmit(() => saving.mutate(ownIn(form.edits)))} noValidate>
      <Unsaved isDirty={form.isEdited} />
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {names.map(name => (
            <NumberInput
              key={name}
              label={t[name]}
              description={`${t.about[name]}. ${inherits(format.count(limits[name].inherited))}`}
              placeholder={format.count(limits[name].inherited)}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              allowDecimal={false}
              allowNegative={false}
              hideControls
              readOnly={!isAdmin}
              thousandSeparator={language === 'id' ? '.' : ','}
              decimalSeparator={language === 'id' ? ',' : '.'}
              {...form.getInputProps(name)}
            />
          ))}
        </SimpleGrid>
        <ConflictNotice form={form} />
        <Refusal said={saving.refusal} />
        {isAdmin && (
          <Group justify="flex-end">
            <Button
              variant="default"
              disabled={isInherited}
              loading={resetting.isPending}
              onClick={() => resetting.mutate()}
            >
              {t.reset}
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={!form.canSave}>
              {t.save}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}

/** Returns the initial values of the form's fields. If a limit is inherited, its field is empty. */
function typedOf(limits: Limits, of: Given['of']): Typed {
  const typedIn = (name: Name) => (limits[name].source === of ? limits[name].value : '')
  return {
    requests_per_second: typedIn('requests_per_second'),
    burst_seconds: typedIn('burst_seconds'),
    requests_in_flight: typedIn('requests_in_flight'),
  }
}

const ownIn = (typed: Partial<Typed>): Own =>
  Object.fromEntries(
    Object.entries(typed).map(([name, limit]) => [name, limit === '' ? null : Number(limit)]),
  )
