// Sorts the table of games, opens a game that a link leads to, and puts a board beside the moves
// of a game that is opened. The page says the same without it.
(() => {
  "use strict";

  // --- positions ------------------------------------------------------------------------

  const FILES = "abcdefgh";

  // { e2: "P", … } from the placement field of a FEN.
  const pieces = (placement) => {
    const found = {};
    placement.split("/").forEach((rank, row) => {
      let file = 0;
      for (const sign of rank) {
        if (/\d/.test(sign)) file += Number(sign);
        else found[FILES[file++] + (8 - row)] = sign;
      }
    });
    return found;
  };

  const placement = (position) => {
    const ranks = [];
    for (let rank = 8; rank >= 1; rank--) {
      const squares = [...FILES].map((file) => position[file + rank] || "1").join("");
      ranks.push(squares.replace(/1+/g, (empty) => empty.length));
    }
    return ranks.join("/");
  };

  // Position n and the two squares of the move before it; "e2-e4P" is one move's change.
  const positions = (game) => {
    const found = [{ pieces: pieces(game.dataset.start), move: [] }];
    for (const change of game.dataset.changes.split(" ")) {
      const next = { ...found[found.length - 1].pieces };
      const squares = change.match(/.../g);
      for (const [file, rank, sign] of squares) {
        if (sign === "-") delete next[file + rank];
        else next[file + rank] = sign;
      }
      found.push({ pieces: next, move: squares.slice(0, 2).map((square) => square.slice(0, 2)) });
    }
    return found;
  };

  // "Kg1 Qd1 a2 b2": what a screen reader reads of one side.
  const listed = (position, ours) =>
    Object.entries(position)
      .filter(([, sign]) => ours(sign))
      .sort(([, a], [, b]) => "kqrbnp".indexOf(a.toLowerCase()) - "kqrbnp".indexOf(b.toLowerCase()))
      .map(([square, sign]) => (/p/i.test(sign) ? "" : sign.toUpperCase()) + square)
      .join(" ");

  // --- one game -------------------------------------------------------------------------

  const template = document.getElementById("viewer");
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

  // The cells of the moves in order: ply n is at n - 1.
  const moveCells = (game) => {
    const table = game.querySelector(".moves table");
    const width = (table.tHead.rows[0].cells.length - 1) / 2;
    return [...table.tBodies[0].rows].flatMap((row) =>
      ["white", "black"]
        .map((color, side) => ({ color, row, width, cell: row.cells[1 + side * width] }))
        .filter(({ cell }) => cell.textContent.trim() !== ""));
  };

  // What is said of a move: everything that its row says, in a line.
  const said = ({ color, row, width, cell }, button) => {
    const beside = (offset) => row.cells[cell.cellIndex + offset].textContent.trim();
    const words = template.dataset;
    const parts = [`${row.cells[0].textContent.trim()}${color === "white" ? "." : "…"} ${button.textContent}`];
    const mark = cell.querySelector("abbr");
    const better = cell.querySelector("small");
    if (width > 1 && beside(1) !== "—") parts.push(words.chances.replace("{number}", beside(1)));
    if (width > 2 && beside(2) !== "—") parts.push(words.clock.replace("{time}", beside(2)));
    if (better) parts.push(words.better.replace("{move}", better.textContent.slice(1, -1)));
    if (mark) parts.push(mark.title);
    return parts.join(" · ");
  };

  const NAMESPACE = "http://www.w3.org/2000/svg";

  // A line in the chart at the position that is shown; where the chart is clicked is chosen.
  const chartCursor = (game, choose) => {
    const chart = game.querySelector("svg.chances");
    if (!chart) return () => {};
    const { x, width } = chart.viewBox.baseVal;
    const line = document.createElementNS(NAMESPACE, "path");
    line.setAttribute("class", "cursor");
    chart.append(line);
    chart.classList.add("linked");
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      choose(Math.round(x + (width * (event.clientX - box.left)) / box.width));
    });
    return (ply) => line.setAttribute("d", `M${Math.min(Math.max(ply, x), x + width)} 0V100`);
  };

  const asButton = (element, act) => {
    element.setAttribute("role", "button");
    element.tabIndex = 0;
    element.addEventListener("click", act);
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); }
    });
  };

  // Puts a board into a game, and links it with the chart, the moves, and the moves named elsewhere.
  const watch = (game) => {
    if (game.dataset.start === undefined || game.querySelector(".viewer")) return;
    const all = positions(game);
    const cells = moveCells(game);
    game.querySelector(".watch").prepend(template.content.cloneNode(true));
    const frame = game.querySelector(".board");
    const now = game.querySelector(".now");
    const list = game.querySelector(".moves");
    const board = ChessgroundModule.Chessground(frame, {
      orientation: game.dataset.seenFrom, viewOnly: true, coordinates: true,
      animation: { enabled: !still, duration: 150 }, drawable: { enabled: false, visible: false },
    });
    let ply = 0;
    const buttons = cells.map(({ cell }, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = -1;
      button.textContent = cell.firstChild.textContent.trim();
      cell.firstChild.remove();
      button.addEventListener("click", () => go(index + 1));
      cell.prepend(button, " ");
      return button;
    });
    const cursor = chartCursor(game, (chosen) => go(chosen));
    const mark = () => {
      const before = list.querySelector("[aria-current]");
      if (before) { before.removeAttribute("aria-current"); before.tabIndex = -1; }
      const button = buttons[ply - 1];
      (button || buttons[0]).tabIndex = 0;
      if (!button) { list.scrollTop = 0; return; }
      if (buttons[0] !== button) buttons[0].tabIndex = -1;
      button.setAttribute("aria-current", "true");
      const row = button.closest("tr");
      const head = list.querySelector("thead").offsetHeight;
      if (row.offsetTop - head < list.scrollTop) list.scrollTop = row.offsetTop - head;
      const below = row.offsetTop + row.offsetHeight - list.clientHeight;
      if (below > list.scrollTop) list.scrollTop = below;
    };
    const go = (wanted) => {
      ply = Math.min(Math.max(wanted, 0), all.length - 1);
      const { pieces: position, move } = all[ply];
      board.set({ fen: placement(position), lastMove: move });
      const words = template.dataset;
      frame.setAttribute("aria-label", [
        words.white.replace("{pieces}", listed(position, (sign) => sign < "a")),
        words.black.replace("{pieces}", listed(position, (sign) => sign > "Z")),
      ].join("; "));
      now.textContent = ply ? said(cells[ply - 1], buttons[ply - 1]) : words.start;
      game.dataset.ply = ply;
      cursor(ply);
      mark();
    };
    const steps = {
      start: () => go(0), back: () => go(ply - 1), on: () => go(ply + 1),
      end: () => go(all.length - 1), turn: () => board.toggleOrientation(),
    };
    game.querySelectorAll("[data-go]").forEach((button) =>
      button.addEventListener("click", steps[button.dataset.go]));
    const keys = { ArrowLeft: steps.back, ArrowRight: steps.on, Home: steps.start, End: steps.end };
    // On a page of one game the arrows work at once; among many, in the game that has the focus.
    (game.closest("details") || document).addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const meant = event.key.startsWith("Arrow") || game.contains(event.target);
      if (!keys[event.key] || !meant) return;
      event.preventDefault();
      keys[event.key]();
      if (buttons.includes(event.target) && ply) buttons[ply - 1].focus({ preventScroll: true });
    });
    game.querySelectorAll("[data-ply]").forEach((named) =>
      asButton(named, () => {
        go(Number(named.dataset.ply));
        game.querySelector(".viewer").scrollIntoView({ block: "nearest" });
      }));
    // On paper nobody steps: better the position of a move that is spoken of than the first one.
    // The pieces stand at pixels, so the board gets its size on paper while it can still move them.
    const named = game.querySelector("[data-ply]");
    const sized = (forPaper) => {
      game.classList.toggle("for-paper", forPaper);
      board.redrawAll();
    };
    addEventListener("beforeprint", () => {
      if (!ply && named) go(Number(named.dataset.ply));
      sized(true);
    });
    addEventListener("afterprint", () => sized(false));
    go(0);
  };

  // --- the page -------------------------------------------------------------------------

  const table = document.getElementById("games-table");
  if (table) sortable(table, () => true);
  document.querySelectorAll(".game").forEach((game) => {
    const details = game.closest("details");
    if (!details) watch(game);
    else details.addEventListener("toggle", () => { if (details.open) watch(game); });
  });
  const open = () => {
    const target = location.hash.startsWith("#game-") && document.getElementById(location.hash.slice(1));
    const details = target && target.closest("details");
    if (details) { details.open = true; details.scrollIntoView({ block: "start" }); }
  };
  addEventListener("hashchange", open);
  open();
})();
