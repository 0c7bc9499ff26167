import type { ReactNode } from 'react'
import classes from './on-phone.module.css'

/** Extra content below a cell's value, in place of a column that is hidden on a phone. */
export const OnPhone = ({ children }: { children: ReactNode }) => (
  <div className={classes.onPhone}>{children}</div>
)
