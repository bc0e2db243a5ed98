/** Texts of the page to sign in. */
export interface SignInWords {
  title: string;
  heading: string;
  name: string;
  password: string;
  button: string;
  /** Plain HTTP elsewhere than on localhost. */
  insecure: string;
  stale: string;
  busy: string;
  wrong: string;
  /** Followed by the name of the account. */
  first: string;
  /** Followed by a command. */
  forgotten: string;
}

const en: SignInWords = {
  title: "Sign in",
  heading: "Sign in to the console",
  name: "Name",
  password: "Password",
  button: "Sign in",
  insecure:
    "This connection is not encrypted: your password and session can be read on the way. " +
    "Put Trawl behind HTTPS and set PUBLIC_URL, or use it on localhost.",
  stale:
    "The form was too old, or your browser did not keep its cookie. Try again; if this " +
    "comes back, allow cookies for this address.",
  busy: "Too many people are signing in. Try again in a moment.",
  wrong: "The name or the password is wrong.",
  first: "The first start prints the password of the account",
  forgotten: "A forgotten one is set anew by",
};

const fr: SignInWords = {
  title: "Connexion",
  heading: "Se connecter à la console",
  name: "Nom",
  password: "Mot de passe",
  button: "Se connecter",
  insecure:
    "Cette connexion n’est pas chiffrée : votre mot de passe et votre session peuvent " +
    "être lus en chemin. Placez Trawl derrière HTTPS et réglez PUBLIC_URL, ou utilisez-le " +
    "sur localhost.",
  stale:
    "Le formulaire était trop ancien, ou votre navigateur n’a pas gardé son cookie. " +
    "Réessayez ; si cela revient, autorisez les cookies de cette adresse.",
  busy: "Trop de personnes se connectent. Réessayez dans un instant.",
  wrong: "Le nom ou le mot de passe est faux.",
  first: "Le premier démarrage affiche le mot de passe du compte",
  forgotten: "S’il est oublié, on le remplace par",
};

const pt: SignInWords = {
  title: "Início de sessão",
  heading: "Iniciar sessão na consola",
  name: "Nome",
  password: "Palavra-passe",
  button: "Iniciar sessão",
  insecure:
    "Esta ligação não é cifrada: a sua palavra-passe e a sua sessão podem ser lidas pelo " +
    "caminho. Ponha o Trawl atrás de HTTPS e defina PUBLIC_URL, ou use-o em localhost.",
  stale:
    "O formulário era demasiado antigo, ou o seu navegador não guardou o cookie. Tente de " +
    "novo; se voltar a acontecer, permita cookies para este endereço.",
  busy: "Há demasiadas pessoas a iniciar sessão. Tente de novo dentro de momentos.",
  wrong: "O nome ou a palavra-passe está errado.",
  first: "O primeiro arranque mostra a palavra-passe da conta",
  forgotten: "Uma esquecida é substituída com",
};

const ru: SignInWords = {
  title: "Вход",
  heading: "Вход в консоль",
  name: "Имя",
  password: "Пароль",
  button: "Войти",
  insecure:
    "Соединение не зашифровано: пароль и сеанс можно прочитать по дороге. Поставьте Trawl " +
    "за HTTPS и задайте PUBLIC_URL или работайте через localhost.",
  stale:
    "Форма устарела, или браузер не сохранил cookie. Попробуйте снова; если это " +
    "повторится, разрешите cookie для этого адреса.",
  busy: "Сейчас входит слишком много людей. Попробуйте через минуту.",
  wrong: "Имя или пароль неверны.",
  first: "При первом запуске печатается пароль учётной записи",
  forgotten: "Забытый пароль заменяет команда",
};

/** By language. */
export const signIn = { en, fr, pt, ru } as const;
