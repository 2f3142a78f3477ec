import type { ComponentSettings } from './component-settings.ts';

/**
 * Command line arguments as `--name=value`, the user's last. Where both name the same argument, the program lets the
 * last win, or joins the two if the argument is a list (`--enable-admission-plugins`): both are what a user expects.
 */
export function renderArguments(
  own: Readonly<Record<string, string>>,
  extra: ComponentSettings['extraArgs'] = [],
): readonly string[] {
  const entries = [...Object.entries(own), ...extra.map(({ name, value }) => [name, value] as const)];
  return entries.map(([name, value]) => `--${name}=${value}`);
}
