interface Route {
  method: string;
  path: string;
}

/** Says under which methods a path is served; none where no route is. */
export function servedMethods(routes: readonly Route[]): (path: string) => readonly string[] {
  const table = routes.map(({ method, path }) => ({ method, shape: shapeOf(path) }));
  return (path) => {
    const served = table.filter(({ shape }) => shape.test(path)).map(({ method }) => method);
    const withHead = served.includes("GET") ? [...served, "HEAD"] : served;
    return [...new Set(withHead)].sort();
  };
}

/** The router takes a path with or without a slash at its end. */
function shapeOf(path: string): RegExp {
  const escaped = path.replace(/\/$/, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/:\w+/g, "[^/]+")}/?$`);
}
