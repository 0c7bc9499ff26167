import type { ReactNode } from 'react'
import classes from './on-phone.module.css'

/** In a cell, below its value: what a column says that a telephone has no room for. */
export const OnPhone = ({ children }: { children: ReactNode }) => (
  <div className={classes.onPhone}>{children}</div>
)
