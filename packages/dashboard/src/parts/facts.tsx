import type { ReactNode } from 'react'
import classes from './facts.module.css'
import { ZoneContext } from './moment.tsx'

/** A list of labeled values. Items whose value is null, undefined, false or empty are left out. */
export function Facts({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <ZoneContext value>
      <dl className={classes.facts}>
        {items
          .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
          .map(([name, value]) => (
            <div key={name} className={classes.fact}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </ZoneContext>
  )
}
